// A click on a notification: on an option it answers, elsewhere it opens the question.
import type { PushedSignal } from '../../../src/contract/signal/push-payload.js';
import { ownerOfDevice, sendOrKeep, type Draft } from '../data/outbox.js';
import { readDevice } from '../device/identity.js';
import { openSignal } from '../device/open-signal.js';
import { sealAnswer } from '../device/seal-answer.js';
import type { NotificationData } from './notification.js';
import { sendLater } from './send-later.js';

declare const self: ServiceWorkerGlobalScope;

export async function receiveClick(notification: Notification, action: string): Promise<void> {
  notification.close();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- This worker set it.
  const { navigate, signal } = notification.data as NotificationData;
  const isAnswered = action !== '' && signal !== undefined && (await answer(signal, Number(action)));
  // The page explains what went wrong, and has the question with its options.
  if (!isAnswered) await openPage(new URL(navigate, self.location.origin).href);
}

/** False if the person must look at the question. */
async function answer(signal: PushedSignal, option: number): Promise<boolean> {
  const draft = await draftAnswer(signal, option);
  if (draft === undefined) return false;
  const outcome = await sendOrKeep({ operation: 'answer_question', questionId: signal.id, ...draft });
  if (outcome.state === 'waiting') await sendLater();
  return outcome.state === 'sent' || outcome.state === 'waiting';
}

async function draftAnswer(signal: PushedSignal, option: number): Promise<Pick<Draft, 'input' | 'owner'> | undefined> {
  const device = await readDevice();
  if (device === undefined || signal.kind !== 'question') return undefined;
  const owner = ownerOfDevice(device);
  if (signal.sealed === undefined) {
    return signal.options?.[option - 1] === undefined ? undefined : { owner, input: { questionId: signal.id, option } };
  }
  const view = { ...signal, kind: signal.kind };
  const opened = await openSignal(device, view);
  const response = opened.isOpen && opened.sender === 'known' ? opened.content.options[option - 1] : undefined;
  if (response === undefined) return undefined;
  const sealed = await sealAnswer(device, view, { status: 'answered', answer: { option, response } });
  return sealed === undefined ? undefined : { owner, input: { questionId: signal.id, sealed } };
}

async function openPage(url: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((each) => each.url === url) ?? pages[0];
  if (page === undefined) {
    await self.clients.openWindow(url);
    return;
  }
  // The page itself changes its place: its script and its data are there already.
  if (page.url !== url) page.postMessage({ navigate: new URL(url).pathname });
  // Some browsers refuse it, for example while another window is full screen.
  await page.focus().catch(() => undefined);
}
