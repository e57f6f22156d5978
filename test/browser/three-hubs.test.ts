// Behind a proxy that knows nothing of HTTP a page's calls reach any of the hubs: it follows whichever answers, also when one
// is gone. With one hub the same holds without the loss.
import { expect, it } from 'vitest';
import { desktop, startBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { hubsAt } from '../support/hub-team.js';

it('shows a thread live through any hub, and goes on when one dies', { timeout: 180_000 }, async () => {
  const hub = await startHubProcess();
  const hubs = hubsAt(hub.url);
  const as = { agent: 'ada' };
  const { threadId } = await call(hub.url, 'create_thread', { title: 'Anywhere', participants: ['me'] }, as);
  const browser = await startBrowser({ url: hub.url, look: desktop });
  const page = await browser.open(`/app/thread/${threadId}`);
  await page.getByText('Live', { exact: true }).waitFor();
  const said: string[] = [];
  const sayAt = async (url: string) => {
    said.push(`message ${said.length}`);
    await call(url, 'send_message', { threadId, content: said.at(-1) }, as);
  };
  const shown = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.msg .msg-body')].map((body) => body.textContent)`);
  const showsAll = () => eventually('all, once, in order', async () => (await shown()).join() === said.join(), 40_000);
  for (const url of hubs) await sayAt(url);
  await showsAll();
  const [, ...others] = hubs;
  if (others.length > 0) hub.child.kill('SIGKILL');
  for (const url of others) for (let time = 0; time < 3; time += 1) await sayAt(url);
  await showsAll();
  // The person's own calls go through the same door.
  await eventually('it is live again', () => page.getByText('Live', { exact: true }).isVisible(), 40_000);
  expect(await shown()).toEqual(said);
});
