// A browser that becomes a device: its keys, what it keeps, how it works without a connection, and how it ends.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
let browser: TestBrowser;
let page: Page;
const ada = { agent: 'ada' };
const person = { agent: 'me' };

beforeAll(async () => {
  browser = await startBrowser({ url: hub.url });
  page = await browser.open('/app/settings');
  await page.getByLabel('Name of this device').fill('laptop');
  await page.getByRole('button', { name: 'Make this browser a device' }).click();
  await page.getByText('laptop, this one').waitFor();
});

const ask = async (question: string): Promise<string> =>
  (await call(hub.url, 'ask_question', { question, options: ['Yes', 'No'] }, ada)).questionId;

const getResponse = (questionId: string) => call(hub.url, 'get_response', { questionId, waitMs: 10_000 }, ada);

/** Everything in IndexedDB as text; keys that cannot be exported appear empty. */
const kept = () =>
  page.evaluate<string>(`(async () => {
    const settled = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const database = await settled(indexedDB.open('coterie'));
    const shelves = [...database.objectStoreNames];
    const all = shelves.map((shelf) => settled(database.transaction(shelf).objectStore(shelf).getAll()));
    const values = await Promise.all(all);
    database.close();
    return JSON.stringify(values);
  })()`);

it('one click makes the local person’s device, which is not verified and says what that means', async () => {
  const { devices } = await call(hub.url, 'list_devices', {}, person);
  expect(devices).toMatchObject([{ name: 'laptop', person: 'me', verified: false }]);
  await page.getByText('Not verified: cannot decide permission prompts').waitFor();
});

it('its private keys cannot be read out', async () => {
  const outcome = await page.evaluate<string>(`(async () => {
    const settled = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const database = await settled(indexedDB.open('coterie'));
    const { keys } = await settled(database.transaction('own').objectStore('own').get('device'));
    database.close();
    const pairs = [keys.encryption.privateKey, keys.signing.privateKey];
    const tries = pairs.map((key) => crypto.subtle.exportKey('pkcs8', key).then(() => 'exported', (error) => error.name));
    return (await Promise.all(tries)).join(' ');
  })()`);
  expect(outcome).toBe('InvalidAccessError InvalidAccessError');
});

it('while its notifications are off, who asks is told that nothing announces the question', async () => {
  const asked = await call(hub.url, 'ask_question', { question: 'Seen?' }, ada);
  expect(asked).toMatchObject({ devices: 1, warnings: [expect.stringMatching(/^No notification is sent, /)] });
});

it('opens a question that is sealed for it, answers sealed, and keeps neither text', async () => {
  const questionId = await ask('Is MARKED7 readable?');
  await page.goto(`${hub.url}/app/question/${questionId}`);
  await page.getByRole('heading', { name: 'Is MARKED7 readable?' }).waitFor();
  const { encryption } = (await call(hub.url, 'list_questions', { questionId }, ada)).questions[0];
  expect(encryption).toBe('device');
  await page.getByLabel('Your answer').fill('Only for ADA7');
  await page.getByRole('button', { name: 'Send' }).click();
  expect(await getResponse(questionId)).toMatchObject({ response: 'Only for ADA7', on: 'laptop', by: 'me' });
  await page.getByText('You said “Only for ADA7”').waitFor();
  const stored = await kept();
  expect(stored).toContain(questionId);
  expect(stored).not.toMatch(/MARKED7|ADA7/);
});

it('without a connection it shows what it has, keeps an answer sealed over a reload, and sends it when it is back', async () => {
  const questionId = await ask('Is OFFLINE8 kept?');
  await page.goto(`${hub.url}/app/question/${questionId}`);
  await page.getByRole('heading', { name: 'Is OFFLINE8 kept?' }).waitFor();
  await browser.context.setOffline(true);
  await page.getByRole('button', { name: 'No' }).click();
  await page.getByText('Kept on this device.').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Is OFFLINE8 kept?' }).waitFor();
  await page.getByText('Kept on this device.').waitFor();
  expect(await kept()).not.toContain('OFFLINE8');
  await browser.context.setOffline(false);
  expect(await getResponse(questionId)).toMatchObject({ response: 'No', option: 2, on: 'laptop' });
  await page.getByText('You said “No”').waitFor();
});

it('an answer that comes too late is not lost without a word: the first one is shown', async () => {
  const questionId = await ask('Who is first?');
  await page.goto(`${hub.url}/app/question/${questionId}`);
  await page.getByRole('heading', { name: 'Who is first?' }).waitFor();
  await browser.context.setOffline(true);
  await page.getByRole('button', { name: 'No' }).click();
  await page.getByText('Kept on this device.').waitFor();
  await call(hub.url, 'answer_question', { questionId, option: 1 }, person);
  await browser.context.setOffline(false);
  await page.getByText('The first answer counts. Yours was not sent.').waitFor();
  expect(await getResponse(questionId)).toMatchObject({ option: 1 });
});

it('signs in by itself when its cookie is gone', async () => {
  await browser.context.clearCookies();
  const questionId = await ask('Still there?');
  await page.goto(`${hub.url}/app/question/${questionId}`);
  await page.getByRole('button', { name: 'Yes' }).click();
  expect(await getResponse(questionId)).toMatchObject({ response: 'Yes', on: 'laptop' });
});

it('quiet hours and channels are set here', async () => {
  await page.goto(`${hub.url}/app/settings`);
  await page.getByRole('switch', { name: 'Quiet hours' }).click();
  await page.getByLabel('From').fill('21:30');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('No pushes from 21:30 to 07:00 (UTC)').waitFor();
  const { prefs } = await call(hub.url, 'get_person_prefs', {}, person);
  expect(prefs).toEqual({ quietHours: { from: '21:30', to: '07:00', timeZone: 'UTC' } });
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByLabel('Address').fill('https://127.0.0.1/hook');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('ENDPOINT_REFUSED').waitFor();
  await page.getByRole('button', { name: 'Add ntfy' }).click();
  await page.getByLabel('Topic, to which').fill('team-questions-7');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Remove' }).waitFor();
  expect((await call(hub.url, 'list_channels', {}, person)).channels).toMatchObject([{ kind: 'ntfy' }]);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('None yet.').waitFor();
});

it('once revoked it says so, and how to go on', async () => {
  const { devices } = await call(hub.url, 'list_devices', {}, person);
  await call(hub.url, 'revoke_device', { deviceId: devices[0].id }, person);
  await page.goto(`${hub.url}/app/settings`);
  await page.getByText('This device was revoked.').waitFor();
  await page.getByRole('link', { name: 'Pair again' }).waitFor();
  expect(browser.faults.filter((fault) => !/401/.test(fault))).toEqual([]);
});
