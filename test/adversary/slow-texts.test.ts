// Texts made to be slow, sent through the real doors of a hub on a small heap: others are answered meanwhile.
import { expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { healthDuring, healthMsMax, startSmallHub } from './attacked-hub.js';

it('a thread of long URLs and forged labels is formatted while others are answered', async () => {
  const hub = await startSmallHub();
  const session = 'slow-texts';
  const { url } = hub;
  await call(url, 'register_agent', { agentId: 'ben' }, { session });
  const { threadId } = await call(
    url,
    'create_thread',
    { creatorId: 'ann', title: 'Slow', participants: ['ben'] },
    { session, agent: 'ann' },
  );
  const images = { type: 'image', source: { type: 'url', url: `https://a.example/${'.a?'.repeat(80_000)}` } };
  for (let sent = 0; sent < 3; sent += 1) {
    await call(url, 'send_message', { threadId, content: [images] }, { session, agent: 'ann' });
    await call(url, 'send_message', { threadId, content: `:${'!'.repeat(240_000)}` }, { session, agent: 'ann' });
  }
  const health = await healthDuring(url, async () => {
    for (const provider of ['gemini', 'anthropic', 'openai']) {
      for (const style of ['brackets', 'history']) {
        const format = { provider, mode: 'multiagent', style };
        const page = await call(url, 'get_thread', { threadId, limit: 500, format }, { session, agent: 'ben' });
        expect(page.formatted.messages.length).toBeGreaterThan(0);
      }
    }
  });
  expect(health.failures).toBe(0);
  expect(health.slowestMs).toBeLessThan(healthMsMax);
}, 120_000);
