// The first key ends open mode, also for whoever was let in before it: nothing goes on without a key.
import { expect, it } from 'vitest';
import { hubsAt } from '../support/hub-team.js';
import { makeKey } from '../support/keys.js';
import { useHub } from '../support/use-hub.js';
import { askOperation } from './ask.js';

const hub = useHub();

it('ends the waits and streams of open mode within a second, at every hub', async () => {
  const opened = await Promise.all(
    hubsAt(hub.url).map(async (url, index) => {
      const name = ['coterie-agent', `before-${index}`] as const;
      await askOperation(url, 'register_agent', {}, [name]);
      const wait = askOperation(url, 'wait_for_mentions', { timeoutMs: 60_000 }, [name]);
      const stream = await fetch(`${url}/v1/events`, { headers: Object.fromEntries([name]) });
      return { wait, streamed: stream.text() };
    }),
  );
  await makeKey(hub.store, { agent: 'ann', capabilities: ['admin'] });
  const madeAt = performance.now();
  const waits = await Promise.all(opened.map(({ wait }) => wait));
  await Promise.all(opened.map(({ streamed }) => streamed));
  expect(performance.now() - madeAt).toBeLessThan(1_000);
  for (const { status, body } of waits) expect([status, body.error.code]).toEqual([401, 'KEY_REQUIRED']);
});
