// A person with two devices: the first answer counts, the other device says where it was given; one that is revoked is out.
import { beforeAll, expect, it } from 'vitest';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { call } from '../support/http-call.js';
import { eventually } from '../support/eventually.js';
import { json, output } from '../cli/run-cli.js';
import { lagOf } from './page-checks.js';
import { startPaired, type PairedBrowser } from './person.js';

let hub: HubProcess;
let laptop: PairedBrowser;
let phone: PairedBrowser;
const as = { agent: 'ada' };

beforeAll(async () => {
  hub = await startHubProcess();
  laptop = await startPaired(hub, { name: 'laptop' });
  phone = await startPaired(hub, { name: 'phone' });
});

async function deviceCalled(wanted: string): Promise<string> {
  const { devices } = await json(['devices', 'list', ...hub.flags]);
  return devices.find(({ name }: { name: string }) => name === wanted).id;
}

it('what is answered on one is shown as answered there on the other, within a second', async () => {
  const { questionId, devices } = await call(
    hub.url,
    'ask_question',
    { question: 'Ship it?', options: ['Yes', 'No'] },
    as,
  );
  expect(devices).toBe(2);
  await phone.page.goto(`${hub.url}/app/question/${questionId}`);
  await phone.page.getByRole('button', { name: 'Yes' }).waitFor();
  await laptop.page.goto(hub.url);
  await laptop.page.getByRole('article').filter({ hasText: 'Ship it?' }).getByRole('button', { name: 'No' }).click();
  const answered = await eventually('the agent has it', async () => {
    const response = await call(hub.url, 'get_response', { questionId }, as);
    return response.answered ? response : undefined;
  });
  expect(answered).toMatchObject({ response: 'No', on: 'laptop' });
  const answeredAt = performance.now();
  await phone.page.getByText(/Answered on laptop .*“No”/).waitFor();
  const tookMs = performance.now() - answeredAt;
  expect(tookMs - (await lagOf(phone.page))).toBeLessThan(1_000);
  expect(await phone.page.getByRole('button', { name: 'Yes' }).count()).toBe(0);
});

it('a device paired after a question was asked reads and answers it, once an open page of another has shared it', async () => {
  const { questionId, devices } = await call(
    hub.url,
    'ask_question',
    { question: 'Asked before the tablet?', options: ['Yes', 'No'] },
    as,
  );
  expect(devices).toBe(2);
  await laptop.page.goto(`${hub.url}/app/question/${questionId}`);
  await laptop.page.getByRole('button', { name: 'Yes' }).waitFor();
  const tablet = await startPaired(hub, { name: 'tablet' });
  await tablet.page
    .getByRole('article')
    .filter({ hasText: 'Asked before the tablet?' })
    .getByRole('button', { name: 'Yes' })
    .click();
  const answered = await call(hub.url, 'get_response', { questionId, waitMs: 10_000 }, as);
  expect(answered).toMatchObject({ response: 'Yes', on: 'tablet' });
  await laptop.page.getByText(/Answered on tablet .*“Yes”/).waitFor();
  expect(tablet.browser.faults).toEqual([]);
  await tablet.browser.close();
  await output(['devices', 'revoke', await deviceCalled('tablet'), ...hub.flags]);
});

it('without a connection a device shows what it had, keeps an answer, and sends it when it is back', async () => {
  const { page, browser } = phone;
  const { questionId } = await call(
    hub.url,
    'ask_question',
    { question: 'Which day?', options: ['Monday', 'Friday'] },
    as,
  );
  await page.goto(hub.url);
  await page.getByRole('article').filter({ hasText: 'Which day?' }).waitFor();
  await browser.context.setOffline(true);
  await page.getByText(/You are offline.*You see what was here at/).waitFor();
  await page.reload();
  const card = page.getByRole('article').filter({ hasText: 'Which day?' });
  await card.getByRole('button', { name: 'Friday' }).click();
  await card.getByText('Kept on this device').waitFor();
  expect((await call(hub.url, 'get_response', { questionId }, as)).answered).toBe(false);
  await browser.context.setOffline(false);
  const { response } = await call(hub.url, 'get_response', { questionId, waitMs: 20_000 }, as);
  expect(response).toBe('Friday');
});

it('an answer that was kept while another device answered is not sent, and the person is told', async () => {
  const { page, browser } = phone;
  const { questionId } = await call(hub.url, 'ask_question', { question: 'Which hour?', options: ['10', '11'] }, as);
  await page.goto(`${hub.url}/app/question/${questionId}`);
  await page.getByRole('button', { name: '10' }).waitFor();
  await browser.context.setOffline(true);
  await page.getByRole('button', { name: '10' }).click();
  await page.getByText('Kept on this device').waitFor();
  await laptop.page.goto(hub.url);
  await laptop.page.getByRole('article').filter({ hasText: 'Which hour?' }).getByRole('button', { name: '11' }).click();
  const { response } = await call(hub.url, 'get_response', { questionId, waitMs: 20_000 }, as);
  expect(response).toBe('11');
  await browser.context.setOffline(false);
  await page.getByText(/Answered on laptop/).waitFor();
  await page.getByText('Yours was not sent').waitFor();
  expect((await call(hub.url, 'get_response', { questionId }, as)).response).toBe('11');
});

it('a device that is revoked is signed out at once, and says so', async () => {
  await phone.page.goto(hub.url);
  await phone.page.getByText('Live', { exact: true }).waitFor();
  await output(['devices', 'revoke', await deviceCalled('phone'), ...hub.flags]);
  await phone.page.getByText('This device was revoked.').first().waitFor();
  expect(phone.browser.faults).toEqual([]);
  expect(laptop.browser.faults).toEqual([]);
});
