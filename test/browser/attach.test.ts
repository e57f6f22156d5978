// Files with a message that a person writes: pictures as they are, text as text, the rest refused with a reason.
import { beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { pixel } from '../support/every-block.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { cut, hostileTexts } from './hostile-texts.js';
import { findingsOf, foreignMarkup, rawControls, sidewaysScroll, strayBidi } from './page-checks.js';

const hub = useHub();
let browser: TestBrowser;
let threadId: string;
const ada = { agent: 'ada' };

beforeAll(async () => {
  await call(hub.url, 'register_agent', {}, ada);
  ({ threadId } = await call(hub.url, 'create_thread', { title: 'Orders', participants: ['me'] }, ada));
  browser = await startBrowser({ url: hub.url, look: { width: 360 } });
});

const picture = { name: 'shot.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') };
const text = (name: string, content: string) => ({ name, mimeType: '', buffer: Buffer.from(content) });

it('are sent with the text, and can be taken back before', async () => {
  const page = await browser.open(`/app/thread/${threadId}`);
  const field = page.getByRole('textbox', { name: 'Message to this thread' });
  await field.fill('@ada look at this');
  await page.getByLabel('Attach files').setInputFiles([picture, text('notes.md', 'a ```` fence'), text('x.txt', 'x')]);
  const attached = page.getByRole('list', { name: 'Attached files' });
  await attached.getByRole('button', { name: /x\.txt/ }).click();
  await attached.getByRole('button', { name: /x\.txt/ }).waitFor({ state: 'detached' });
  expect(await findingsOf(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send' }).click();
  await attached.waitFor({ state: 'detached' });
  await page.locator('.msg img').waitFor();
  await page.getByText('a ```` fence').waitFor();
  const { messages } = await call(hub.url, 'get_messages', {}, ada);
  const [sent] = messages.filter(({ sender }: { sender: string }) => sender === 'me');
  expect(sent.mentions).toEqual(['ada']);
  expect(sent.content.map(({ type }: { type: string }) => type)).toEqual(['text', 'image', 'text']);
  expect(browser.faults).toEqual([]);
  await page.close();
});

it('that cannot be sent are refused, with the reason', async () => {
  const page = await browser.open(`/app/thread/${threadId}`);
  const input = page.getByLabel('Attach files');
  await input.setInputFiles({ name: 'tool.bin', mimeType: '', buffer: Buffer.from([0xff, 0xfe, 0x80]) });
  await page.getByText('tool.bin: only pictures, sound, video and text can be sent.').waitFor();
  await input.setInputFiles({ ...picture, name: 'huge.png', buffer: Buffer.alloc(8 * 1024 * 1024 + 1) });
  await page.getByText('huge.png: it has more than 8 MB.').waitFor();
  await input.setInputFiles(text('empty.txt', ''));
  await page.getByText('empty.txt: it is empty.').waitFor();
  await input.setInputFiles(Array.from({ length: 11 }, (_, number) => text(`${number}.txt`, 'x')));
  await page.getByText('At most 10 files go with one message.').waitFor();
  const attached = page.getByRole('list', { name: 'Attached files' }).getByRole('button');
  await attached.nth(9).waitFor();
  expect(await attached.count()).toBe(10);
  await page.close();
});

it('with hostile names are harmless', async () => {
  const page = await browser.open(`/app/thread/${threadId}`);
  const names = Object.values(hostileTexts).map((name) => cut(name.replaceAll(/[/\0]/g, '-'), 60));
  for (let start = 0; start < names.length; start += 10) {
    const files = names.slice(start, start + 10).map((name) => text(name, name));
    await page.getByLabel('Attach files').setInputFiles(files);
    await page
      .getByRole('list', { name: 'Attached files' })
      .getByRole('button')
      .nth(files.length - 1)
      .waitFor();
    for (const found of [foreignMarkup, strayBidi, rawControls, sidewaysScroll]) expect(await found(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('list', { name: 'Attached files' }).waitFor({ state: 'detached' });
  }
  await page.locator('.msg').nth(2).waitFor();
  for (const found of [foreignMarkup, strayBidi, rawControls, sidewaysScroll]) expect(await found(page)).toEqual([]);
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
  expect(browser.faults).toEqual([]);
  await page.close();
});
