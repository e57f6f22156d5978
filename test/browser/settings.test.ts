// The settings of a person and of a device, and what they change.
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { eventually } from '../support/eventually.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { startPushService, type PushService } from '../support/push-service.js';
import { passOnPush, startPaired, type PairedBrowser } from './person.js';

let hub: HubProcess;
let push: PushService;
let paired: PairedBrowser;
const as = { agent: 'ada' };

beforeAll(async () => {
  push = await startPushService();
  hub = await startHubProcess({ args: ['--push-hosts', push.host] });
  paired = await startPaired(hub, { push });
  await paired.page.goto(`${hub.url}/app/settings`);
});

describe('the settings', () => {
  it('send a test through the push service to this device', async () => {
    await paired.page.getByRole('button', { name: 'Send a test' }).click();
    await passOnPush(paired, push, ({ json }) => json.signal.kind === 'test');
    const [notice] = await eventually('it is shown', async () => {
      const shown = await paired.browser.shown();
      return shown.length > 0 ? shown : undefined;
    });
    expect(notice?.title).toBeTruthy();
  });

  it('hide the content of notifications on the lock screen', async () => {
    await paired.page.getByRole('switch', { name: 'Hide content on the lock screen' }).click();
    await paired.page.getByRole('switch', { name: 'Hide content on the lock screen', checked: true }).waitFor();
    const { questionId } = await call(hub.url, 'ask_question', { question: 'A secret?', options: ['Yes', 'No'] }, as);
    await passOnPush(paired, push, ({ json }) => json.signal.id === questionId);
    const notice = await eventually('it is shown', async () => {
      const shown = await paired.browser.shown();
      return shown.length > 1 ? shown.at(-1) : undefined;
    });
    expect(JSON.stringify(notice)).not.toContain('secret');
    expect(notice.actions).toEqual([]);
  });

  it('keep quiet hours for the person, on any device', async () => {
    const { page } = paired;
    await page.getByRole('switch', { name: 'Quiet hours' }).click();
    await page.getByText('No pushes from 22:00 to 07:00 (UTC)', { exact: false }).waitFor();
    await page.getByLabel('From').fill('00:00');
    await page.getByLabel('To', { exact: true }).fill('23:59');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No pushes from 00:00 to 23:59', { exact: false }).waitFor();
    await page.reload();
    await page.getByText('No pushes from 00:00 to 23:59', { exact: false }).waitFor();
    await page.getByRole('switch', { name: 'Quiet hours' }).click();
    await page.getByText('Pushes come at any time.').waitFor();
  });

  it('list the channels, test one and remove it', async () => {
    const { page } = paired;
    const tests = () => push.received.filter(({ json }) => json.signal.kind === 'test').length;
    const before = tests();
    await page.getByRole('button', { name: /^Test / }).click();
    await eventually('it arrives', () => tests() > before);
    await page.getByRole('button', { name: /^Remove / }).click();
    await page.getByText('None yet.', { exact: false }).waitFor();
    expect(paired.browser.faults).toEqual([]);
  });
});
