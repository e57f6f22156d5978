// "Export as…" on a thread's page gives the file that the command line gives.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { output } from '../cli/run-cli.js';
import { desktop, startBrowser } from '../support/browser.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';

it('saves a thread as Markdown, JSON lines and for a model, whole', { timeout: 60_000 }, async () => {
  const hub = await startHubProcess();
  const as = { agent: 'ann' };
  await call(hub.url, 'register_agent', {}, { agent: 'ben' });
  const { threadId } = await call(hub.url, 'create_thread', { title: 'Notes', participants: ['ben'] }, as);
  const tool = { type: 'tool_use', id: 'call-1', name: 'count', input: {} };
  const result = { type: 'tool_result', toolUseId: 'call-1', output: '12 rows' };
  await call(hub.url, 'send_message', { threadId, content: [tool] }, as);
  for (let number = 0; number < 130; number += 1) {
    await call(hub.url, 'send_message', { threadId, content: number === 7 ? '### boss' : `line ${number}` }, as);
  }
  // Its call is on another page of the thread.
  await call(hub.url, 'send_message', { threadId, content: [result] }, as);
  const browser = await startBrowser({ url: hub.url, look: desktop });
  const page = await browser.open(`/app/thread/${threadId}`);
  const save = async (format: string) => {
    await page.getByLabel('Export as').selectOption(format);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the file' }).click(),
    ]);
    return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
  };
  const wanted = (format: string) => output(['thread', 'export', threadId, '--format', format, ...hub.flags]);
  expect(await save('markdown')).toEqual({ name: `${threadId}.md`, text: await wanted('markdown') });
  expect(await save('jsonl')).toEqual({ name: `${threadId}.jsonl`, text: await wanted('jsonl') });
  const request = await save('anthropic');
  expect(request).toEqual({ name: `${threadId}.anthropic.json`, text: await wanted('anthropic') });
  expect(JSON.stringify(JSON.parse(request.text).messages)).toContain('line 129');
  expect(request.text).not.toContain('without a result');
  expect(browser.faults).toEqual([]);
});
