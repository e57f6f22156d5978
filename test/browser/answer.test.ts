// The way of a question: an agent asks through MCP, a push reaches the person's browser, the person answers, and the agent
// gets it. Also with three hubs, where every connection may reach another.
import { beforeAll, describe, expect, it } from 'vitest';
import { connectMcp, type McpClient } from '../support/mcp-clients.js';
import { eventually } from '../support/eventually.js';
import { startPushService, type PushService } from '../support/push-service.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { passOnPush, startPaired, type PairedBrowser } from './person.js';

let hub: HubProcess;
let push: PushService;
let paired: PairedBrowser;
let agent: McpClient;

beforeAll(async () => {
  push = await startPushService();
  hub = await startHubProcess({ args: ['--push-hosts', push.host, '--push-contact', 'mailto:ops@example.org'] });
  paired = await startPaired(hub, { push });
  agent = await connectMcp('v2 2026', `${hub.url}/mcp?agent=builder`);
});

async function ask(input: Record<string, unknown>) {
  const { structured, isError, text } = await agent.call('ask_question', input);
  expect(isError, text).toBe(false);
  expect(structured).toMatchObject({ success: true, encryption: 'device', devices: 1 });
  return structured.questionId as string;
}

/** A wait of the agent that began before the person answers. */
function awaitAnswer(questionId: string) {
  return {
    response: agent.call('get_response', { questionId, waitMs: 20_000 }),
    mention: connectMcp('v1', `${hub.url}/mcp?agent=builder`).then((client) =>
      client.call('wait_for_mentions', { timeoutMs: 20_000 }),
    ),
  };
}

describe('a question', () => {
  it('is shown decrypted by the worker, and answered by a click on the notification', async () => {
    const questionId = await ask({ question: 'Delete the staging database?', options: ['Yes', 'No'] });
    const parked = awaitAnswer(questionId);
    const received = await passOnPush(paired, push, ({ json }) => json.signal.id === questionId);
    expect(received.text).not.toContain('staging');
    const notice = await eventually('the notification is shown', async () => (await paired.browser.shown()).at(-1));
    expect(notice).toMatchObject({ title: 'builder asks', body: 'Delete the staging database?' });
    expect(notice.actions).toMatchObject([{ title: 'Yes' }, { title: 'No' }]);
    await paired.browser.click(notice.tag, notice.actions[1]?.action);
    expect((await parked.response).structured).toMatchObject({
      answered: true,
      status: 'answered',
      response: 'No',
      option: 2,
    });
    expect((await parked.mention).text).toContain('No');
    await eventually('it is closed', async () => (await paired.browser.onScreen()).length === 0);
  });

  it('is answered in the app by an option, which the waiting agent gets', async () => {
    const questionId = await ask({ question: 'Which branch?', options: ['main', 'release', 'next'] });
    const parked = awaitAnswer(questionId);
    const card = paired.page.getByRole('article').filter({ hasText: 'Which branch?' });
    await card.getByRole('button', { name: 'release' }).click();
    expect((await parked.response).structured).toMatchObject({ answered: true, response: 'release', option: 2 });
    expect((await parked.mention).text).toContain('release');
    await card.waitFor({ state: 'detached' });
  });

  it('is answered on its page in the person’s own words', async () => {
    const questionId = await ask({ question: 'What shall it be called?', context: 'A **short** name.' });
    const parked = awaitAnswer(questionId);
    const { page } = paired;
    await page.getByRole('link', { name: 'What shall it be called?' }).click();
    await page.getByText('short', { exact: true }).waitFor();
    await page.getByRole('textbox').first().fill('Coterie, as before');
    await page.getByRole('button', { name: 'Send' }).first().click();
    expect((await parked.response).structured).toMatchObject({ answered: true, response: 'Coterie, as before' });
    expect((await parked.mention).text).toContain('Coterie, as before');
    await page.getByText('You said', { exact: false }).first().waitFor();
    expect(paired.browser.faults).toEqual([]);
  });
});
