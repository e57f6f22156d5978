// A device gets new keys: what waits stays readable, what the old ones could do ends.
import { beforeAll, expect, it } from 'vitest';
import { json } from '../cli/run-cli.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { startPushService, type PushService } from '../support/push-service.js';
import { startPaired, type PairedBrowser } from './person.js';

let hub: HubProcess;
let push: PushService;
let phone: PairedBrowser;
const as = { agent: 'ada' };

beforeAll(async () => {
  push = await startPushService();
  hub = await startHubProcess({ args: ['--push-hosts', push.host] });
  phone = await startPaired(hub, { push, name: 'phone' });
});

const ask = async (question: string): Promise<string> =>
  (await call(hub.url, 'ask_question', { question, options: ['Yes', 'No'] }, as)).questionId;

const devices = async () => (await json(['devices', 'list', ...hub.flags])).devices;

const cookie = async () => {
  const [found] = await phone.browser.context.cookies(hub.url);
  return `${found?.name}=${found?.value}`;
};

/** The device that a cookie signs in; undefined for one that is dead. */
const deviceOf = async (sent: string): Promise<string | undefined> => {
  const response = await fetch(`${hub.url}/app/hub`, { headers: { cookie: sent, origin: hub.url } });
  return ((await response.json()) as { signedIn?: { deviceId: string } }).signedIn?.deviceId;
};

const openSettings = async () => {
  await phone.page.goto(`${hub.url}/app/settings`);
  return phone.page.getByRole('button', { name: 'Renew this device’s keys' });
};

const answers = async (question: string) => {
  await phone.page.goto(hub.url);
  const card = phone.page.getByRole('article').filter({ hasText: question });
  await card.getByRole('button', { name: 'Yes' }).click();
};

it('a question asked before is answered after, and the old sign-in is dead', async () => {
  const [before] = await devices();
  const questionId = await ask('Asked before?');
  const oldCookie = await cookie();
  expect(await deviceOf(oldCookie)).toBe(before.id);
  await (await openSettings()).click();
  await phone.page.getByText('The keys of this device are new.').waitFor();
  await phone.page.getByText(/coterie devices verify d-/).waitFor();
  const after = await devices();
  expect(after).toMatchObject([{ name: 'phone', verified: true }]);
  expect(after[0].id).not.toBe(before.id);
  expect(after[0].kid).not.toBe(before.kid);
  expect(await deviceOf(oldCookie)).toBeUndefined();
  expect(await deviceOf(await cookie())).toBe(after[0].id);
  await answers('Asked before?');
  const answered = await call(hub.url, 'get_response', { questionId, waitMs: 10_000 }, as);
  expect(answered).toMatchObject({ response: 'Yes', on: 'phone' });
});

it('pushes come to the new keys, and open there', async () => {
  const questionId = await ask('Pushed after?');
  const isMeant = ({ json: { signal } }: { json: { signal: { id: string } } }) => signal.id === questionId;
  const received = await eventually('a push arrives', () => push.received.find(isMeant));
  await phone.browser.deliver(received.text);
  await eventually('it is shown', async () => {
    const shown = await phone.browser.shown();
    return shown.find(({ tag, body, title }) => tag === questionId && `${title} ${body}`.includes('Pushed after?'));
  });
});

/** The next call of this path is lost, before the hub has it or only its answer. Resolves when that has happened. */
async function losesOnce(path: string, isAnswerOnly: boolean): Promise<{ lost: Promise<void> }> {
  let happened: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (happened = resolve));
  await phone.page.route(
    `**${path}`,
    async (route) => {
      if (isAnswerOnly) await route.fetch();
      await route.abort();
      happened();
    },
    { times: 1 },
  );
  return { lost };
}

it.each([
  ['/v1/start_pairing', true],
  ['/app/pair', false],
  ['/app/pair', true],
  ['/v1/share_signal', false],
  ['/app/sign-in', true],
  ['/v1/set_channel', false],
  ['/v1/revoke_device', true],
])('with the call of %s lost (its answer alone: %s) it goes on after a reload', async (path, isAnswerOnly) => {
  const [before] = await devices();
  const question = `Lost at ${path} ${isAnswerOnly}?`;
  const questionId = await ask(question);
  const button = await openSettings();
  const { lost } = await losesOnce(path, isAnswerOnly);
  await button.click();
  await lost;
  await phone.page.reload();
  await eventually('one device is left', async () => {
    const left = await devices();
    return left.length === 1 && left[0].id !== before.id && left[0].verified;
  });
  await answers(question);
  expect(await call(hub.url, 'get_response', { questionId, waitMs: 10_000 }, as)).toMatchObject({ response: 'Yes' });
});
