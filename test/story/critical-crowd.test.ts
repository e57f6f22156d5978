// Many waits for responses at once. The hubs have processes of their own: all clients in one process are work enough.
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { parkedAt } from '../support/metrics.js';
import { useHubProcess } from '../support/use-hub-process.js';

const hub = useHubProcess();

it('100 critical threads at once with 10 responders each count every response once', async () => {
  const session = 'hundred';
  const responders = Array.from({ length: 10 }, (_, index) => `r${index}`);
  const creators = Array.from({ length: 100 }, (_, index) => `c${index}`);
  for (const agentId of [...responders, ...creators]) await call(hub.url, 'register_agent', { agentId }, { session });
  const question = { participants: responders, initial_message: 'All of you?', wait_for_responses: 10 };
  const waits: ReturnType<typeof call>[] = [];
  for (const agent of creators) {
    const asked = { title: agent, ...question, timeout_ms: 240_000 };
    waits.push(call(hub.url, 'create_critical_thread', asked, { agent, session }));
    // All of them wait at once, but a busy machine need not create them at once.
    if (waits.length % 20 === 0) await parkedAt(hub, waits.length, 60_000);
  }
  // A wait has its place before its thread is there.
  await eventually(
    'all threads are open',
    async () => (await call(hub.url, 'list_threads', { limit: 100 }, { agent: 'r0', session })).threads.length === 100,
    60_000,
  );
  await Promise.all(
    responders.map(async (agent) => {
      const { messages } = await call(hub.url, 'get_messages', { limit: 500 }, { agent, session });
      // Others may have answered already.
      const openings = messages.filter(({ sender }: { sender: string }) => creators.includes(sender));
      expect(openings).toHaveLength(100);
      for (const { threadId } of openings) {
        const content = `${agent} in ${threadId}`;
        await call(hub.url, 'send_message', { threadId, content }, { agent, session });
      }
    }),
  );
  const answers = await Promise.all(waits);
  for (const { threadId, complete, responses } of answers) {
    expect(complete).toBe(true);
    const said = responses.map((response: { content: { text: string }[] }) => response.content[0]?.text);
    expect(said.toSorted()).toEqual(responders.map((agent) => `${agent} in ${threadId}`));
    const seqs = responses.map(({ seq }: { seq: number }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a: number, b: number) => a - b));
  }
  await parkedAt(hub, 0);
}, 300_000);
