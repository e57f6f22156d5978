// The hub is killed without warning while a question is open. Nothing of it is lost, and the page comes back by itself.
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { connectMcp } from '../support/mcp-clients.js';
import { startPushService, type PushService } from '../support/push-service.js';
import { passOnPush, startPaired, type PairedBrowser } from './person.js';

let hub: HubProcess;
let push: PushService;
let paired: PairedBrowser;

beforeAll(async () => {
  push = await startPushService();
  hub = await startHubProcess({ args: ['--push-hosts', push.host, '--port', String(await freePort())] });
  paired = await startPaired(hub, { push });
});

async function ask(question: string): Promise<string> {
  const agent = await connectMcp('v2 2026', `${hub.url}/mcp?agent=builder`);
  const { structured } = await agent.call('ask_question', { question, options: ['Yes', 'No'] });
  return structured.questionId;
}

async function getResponse(questionId: string) {
  const agent = await connectMcp('v2 2026', `${hub.url}/mcp?agent=builder`);
  const { structured } = await agent.call('get_response', { questionId, waitMs: 20_000 });
  return structured;
}

/** On the same folder and port. */
async function killAndStart(): Promise<void> {
  const { url, data } = hub;
  await hub.kill();
  hub = await startHubProcess({ data, isShared: true, args: ['--push-hosts', push.host, '--port', new URL(url).port] });
  expect(hub.url).toBe(url);
}

it('a question that was asked before is answered in the page that stayed open', async () => {
  const questionId = await ask('Still there?');
  const card = paired.page.getByRole('article').filter({ hasText: 'Still there?' });
  await card.waitFor();
  await killAndStart();
  await card.getByRole('button', { name: 'Yes' }).click();
  expect(await getResponse(questionId)).toMatchObject({ answered: true, response: 'Yes' });
});

it('a push that was pending arrives, once, and its notification is answered', async () => {
  await push.stop();
  const questionId = await ask('Is it night?');
  await killAndStart();
  await push.start();
  await passOnPush(paired, push, ({ json }) => json.signal.id === questionId);
  const notice = await eventually('the notification is shown', async () => (await paired.browser.shown()).at(-1));
  expect(notice.body).toBe('Is it night?');
  await paired.browser.click(notice.tag, notice.actions[0]?.action);
  expect(await getResponse(questionId)).toMatchObject({ answered: true, response: 'Yes' });
  expect(push.received.filter(({ json }) => json.signal.id === questionId)).toHaveLength(1);
});

it('an answer that was given before is there after', async () => {
  const questionId = await ask('Ship it?');
  const card = paired.page.getByRole('article').filter({ hasText: 'Ship it?' });
  await card.getByRole('button', { name: 'No' }).click();
  await card.waitFor({ state: 'detached' });
  await killAndStart();
  expect(await getResponse(questionId)).toMatchObject({ answered: true, response: 'No', option: 2 });
});
