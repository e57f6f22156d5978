// What a notification shows: the decrypted text, or the generic one if it cannot be opened here or shall not be seen.
import type { PushedSignal, PushPayload } from '../../../src/contract/signal/push-payload.js';
import type { SignalContent } from '../../../src/contract/signal/signal.js';
import { callHub } from '../device/call-hub.js';
import { hidesContent } from '../device/choices.js';
import { readDevice } from '../device/identity.js';
import { openSignal } from '../device/open-signal.js';

/** Kept with the notification, in the browser: never a decrypted text. */
export interface NotificationData {
  navigate: string;
  signal?: PushedSignal;
}

export interface Shown {
  title: string;
  options: NotificationOptions & { actions?: { action: string; title: string }[]; data: NotificationData };
}

/** Browsers show at most two. */
const actionsMax = 2;

export async function describePush(payload: PushPayload): Promise<Shown> {
  const { notification, signal: pushed } = payload;
  const generic = show(notification.title, notification.body, payload);
  if (pushed.kind === 'test' || (await hidesContent())) return generic;
  // What did not fit into a push is read from the hub.
  const signal = hasContent(pushed) ? pushed : await fetchSignal(pushed);
  const content = await contentOf(signal);
  if (content === undefined) return generic;
  const title = signal.kind === 'alert' ? `${signal.fromName}: ${signal.alertType ?? 'info'}` : titleOf(signal);
  const shown = show(title, content.text, { ...payload, signal });
  // A tool call must be read whole before it is allowed: that needs the page.
  if (signal.kind === 'question' && content.options.length > 0 && content.options.length <= actionsMax) {
    shown.options.actions = content.options.map((option, index) => ({ action: String(index + 1), title: option }));
  }
  return shown;
}

/** Whatever arrived: a browser takes the permission from a worker that shows nothing. */
export function describeUnreadable(): Shown {
  const data = { navigate: '/' };
  return { title: 'Coterie', options: { body: 'Something new. Open the app to read it.', tag: 'coterie', data, icon } };
}

const icon = '/icons/icon-192.png';

function titleOf({ kind, fromName }: PushedSignal): string {
  return kind === 'permission' ? `${fromName} wants permission` : `${fromName} asks`;
}

function show(title: string, body: string, { notification, signal }: PushPayload): Shown {
  const data = { navigate: notification.navigate, signal };
  return { title, options: { body, tag: notification.tag, data, icon, badge: icon } };
}

async function contentOf(signal: PushedSignal): Promise<SignalContent | undefined> {
  const text = signal.question ?? signal.message;
  if (text !== undefined) return { text, options: signal.options ?? [], context: null };
  const device = await readDevice();
  if (device === undefined || signal.kind === 'test') return undefined;
  const opened = await openSignal(device, { ...signal, kind: signal.kind });
  // With another key than before it may be someone else: the page asks first.
  return opened.isOpen && opened.sender === 'known' ? opened.content : undefined;
}

function hasContent({ sealed, question, message }: PushedSignal): boolean {
  return sealed !== undefined || question !== undefined || message !== undefined;
}

async function fetchSignal(pushed: PushedSignal): Promise<PushedSignal> {
  if (pushed.kind === 'alert') return pushed;
  try {
    const { questions } = await callHub<{ questions: PushedSignal[] }>('list_questions', { questionId: pushed.id });
    return { ...pushed, ...pick(questions[0]) };
  } catch {
    return pushed;
  }
}

/** The part of a question that a push would have carried. */
function pick(view: PushedSignal | undefined): Partial<PushedSignal> {
  const { sealed, senderKeys, question, options } = view ?? {};
  if (sealed !== undefined && senderKeys !== undefined) return { sealed, senderKeys };
  return question === undefined ? {} : { question, options: options ?? [] };
}
