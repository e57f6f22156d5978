// Becoming a device without a link: by the short code, and with one click on the hub's own machine.
import { describe, expect, it } from 'vitest';
import { output, runCli } from '../cli/run-cli.js';
import { startBrowser } from '../support/browser.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { startPairing } from './person.js';

/** Five digits six times. */
const safetyNumber = /\d{5}(?:\s\d{5}){5}/;
const as = { agent: 'ada' };

describe('a device', () => {
  it('paired by the short code is not verified until its safety number was compared', async () => {
    const hub = await startHubProcess();
    const browser = await startBrowser({ url: hub.url });
    const { command, code } = await startPairing(hub);
    const page = await browser.open('/app/pair');
    await page.getByLabel(/^Code/).fill(code.toLowerCase());
    await page.getByLabel('Name of this device').fill('tablet');
    await page.getByRole('button', { name: 'Pair this device' }).click();
    await page.getByText('It is not verified yet', { exact: false }).waitFor();
    expect((await command.end()).stdout).toContain('It is not verified yet');
    await page.goto(`${hub.url}/app/settings`);
    await page
      .getByRole('button', { name: /^Verify/ })
      .first()
      .click();
    await page.getByText(safetyNumber).waitFor();
    const [onPage] = safetyNumber.exec(await page.locator('.safety').innerText()) ?? [];
    expect(onPage).toBeDefined();
    const { devices } = JSON.parse(await output(['devices', 'list', '--json', ...hub.flags]));
    expect(devices).toMatchObject([{ name: 'tablet', verified: false }]);
    const { stdout, stderr } = await runCli(['devices', 'verify', devices[0].id, '--yes', ...hub.flags]);
    expect(safetyNumber.exec(stdout + stderr)?.[0]).toBe(onPage);
    const after = JSON.parse(await output(['devices', 'list', '--json', ...hub.flags]));
    expect(after.devices).toMatchObject([{ name: 'tablet', verified: true }]);
    expect(browser.faults).toEqual([]);
  });

  it('paired by a link that is pasted into the app is verified', async () => {
    const hub = await startHubProcess();
    const browser = await startBrowser({ url: hub.url });
    const { command, path } = await startPairing(hub);
    const page = await browser.open('/app/pair');
    await page.getByLabel(/^Code/).fill(`${hub.url}${path}`);
    await page.getByRole('heading', { name: 'Pair this device?' }).waitFor();
    await page.getByRole('button', { name: 'Pair this device' }).click();
    await page.getByText('Paired. You are me here.').waitFor();
    expect((await command.end()).stdout).toContain('Paired and verified');
    expect(browser.faults).toEqual([]);
  });

  it('paired by a link that is opened where the page is open already leaves no secret in the address', async () => {
    const hub = await startHubProcess();
    const browser = await startBrowser({ url: hub.url });
    const { command, path } = await startPairing(hub);
    const page = await browser.open('/app/pair');
    await page.getByLabel(/^Code/).waitFor();
    await page.goto(`${hub.url}${path}`);
    await page.getByRole('heading', { name: 'Pair this device?' }).waitFor();
    expect(await page.evaluate<string>('location.href')).not.toContain('#');
    await page.getByRole('button', { name: 'Pair this device' }).click();
    await page.getByText('Paired. You are me here.').waitFor();
    await command.end();
    expect(browser.faults).toEqual([]);
  });

  it('is made with one click where the page worked at once, as the local person', async () => {
    const hub = await startHubProcess({ args: ['--person', 'sam'] });
    const browser = await startBrowser({ url: hub.url });
    const first = await call(hub.url, 'ask_question', { question: 'Before?', options: ['Yes', 'No'] }, as);
    expect(first).toMatchObject({ encryption: 'hub', devices: 0 });
    const page = await browser.open('/');
    const card = page.getByRole('article').filter({ hasText: 'Before?' });
    await card.getByRole('button', { name: 'Yes' }).click();
    expect(await call(hub.url, 'get_response', { questionId: first.questionId, waitMs: 10_000 }, as)).toMatchObject({
      response: 'Yes',
      by: 'sam',
    });
    await page.goto(`${hub.url}/app/settings`);
    await page.getByRole('button', { name: 'Make this browser a device' }).click();
    await page.getByRole('switch', { name: 'Notify this device' }).waitFor();
    const second = await call(hub.url, 'ask_question', { question: 'After?', options: ['Yes', 'No'] }, as);
    expect(second).toMatchObject({ encryption: 'device', devices: 1 });
    await page.goto(hub.url);
    await page.getByRole('article').filter({ hasText: 'After?' }).getByRole('button', { name: 'No' }).click();
    const answered = await call(hub.url, 'get_response', { questionId: second.questionId, waitMs: 10_000 }, as);
    expect(answered).toMatchObject({ response: 'No', by: 'sam' });
    expect(browser.faults).toEqual([]);
  });
});
