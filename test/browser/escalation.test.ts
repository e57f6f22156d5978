// An agent that nothing wakes: the sender's wish puts a question into the person's app, and the answer comes back to the sender.
import { expect, it } from 'vitest';
import { phone, startBrowser } from '../support/browser.js';
import { companionOf } from '../support/companion.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

it('a chain of routes that all fail ends in a question in the app, and its answer reaches the sender', async () => {
  const ada = { agent: 'ada' };
  await call(hub.url, 'register_agent', {}, ada);
  const ben = { url: hub.url, session: 'default', agent: 'ben' };
  const first = await companionOf(ben, { companion: 'c1', label: 'desk', position: 0 });
  const second = await companionOf(ben, { companion: 'c2', label: 'laptop', position: 1 });
  const browser = await startBrowser({ url: hub.url, look: phone });
  const page = await browser.open('/');
  await call(hub.url, 'send_message', { target: 'ben', content: 'Secret plans', escalate: 'person' }, ada);
  for (const companion of [first, second]) {
    const { wake } = await companion.wait(30_000);
    expect(wake.text).not.toContain('Secret');
    await companion.report(wake.wakeId, 'failed', 'the client is closed');
  }
  const card = page.getByRole('article').filter({ hasText: 'ben was not woken' });
  await card.waitFor();
  expect(await card.textContent()).not.toContain('Secret');
  await card.getByRole('button').first().click();
  const { messages } = await call(hub.url, 'wait_for_mentions', { timeoutMs: 20_000 }, ada);
  expect(messages).toHaveLength(1);
  expect((await call(hub.url, 'get_receipts', { messageId: await sentBy('ada') }, ada)).deliveries).toMatchObject([
    { recipient: 'ben', state: 'pending' },
  ]);
});

async function sentBy(agent: string): Promise<string> {
  const { messages } = await call(hub.url, 'get_sent_messages', {}, { agent });
  return messages[0].id;
}
