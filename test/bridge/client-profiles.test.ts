// The client's name decides over stdio too, and --results overrides the form.
import { describe, expect, it } from 'vitest';
import { askedMs, knownClients } from '../support/clients-known.js';
import { call } from '../support/http-call.js';
import { generations, type CallOptions } from '../support/mcp-clients.js';
import { parkedAt } from '../support/metrics.js';
import { useHub } from '../support/use-hub.js';
import { connectStdio, type StdioClient } from './stdio-clients.js';

const hub = useHub();

const flagsFor = (session: string) => [...hub.flags, '--agent', 'ben', '--session', session];

async function mailFor(session: string): Promise<void> {
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  await call(hub.url, 'send_message', { target: 'ben', message: 'hello' }, { agent: 'ann', session });
}

describe.each(generations)('through client %s on stdio', (generation) => {
  it('a model client gets text only, any other both, and --results overrides', async () => {
    const session = `forms-${generation.replaceAll(' ', '-')}`;
    await mailFor(session);
    const asked: [string, string[], boolean][] = [
      ['claude-code', [], false],
      ['claude-code', ['--results', 'both'], true],
      ['test', [], true],
      ['test', ['--results', 'text'], false],
    ];
    for (const [name, flags, isStructured] of asked) {
      const client = await connectStdio(generation, [...flagsFor(session), ...flags], name);
      const mail = await client.call('get_messages', { include: 'recent' });
      expect(mail.text).toContain('<content>hello</content>');
      expect(mail.structured !== undefined).toBe(isStructured);
      const refused = await client.call('send_message', { target: 'nobody', content: 'hi' });
      expect(refused.text).toMatch(/^TARGET_UNKNOWN: .+\n.+/);
      expect(refused.meta?.['coterie/error'] !== undefined).toBe(isStructured);
      await client.close();
    }
  });

  it('waits as long as a client of that name bears', async () => {
    for (const [name, waitMs, silentWaitMs] of knownClients) {
      const session = `wait-${generation.replaceAll(' ', '-')}-${name}`;
      const client = await connectStdio(generation, [...flagsFor(session), '--results', 'both'], name);
      expect(await clampedTo(client, session)).toBe(silentWaitMs);
      expect(await clampedTo(client, session, { onprogress: () => {} })).toBe(waitMs);
      await client.close();
    }
  }, 120_000);
});

async function clampedTo(client: StdioClient, session: string, options: CallOptions = {}): Promise<number> {
  await client.call('list_groups', {});
  const waiting = client.call('wait_for_mentions', { timeoutMs: askedMs }, options);
  await parkedAt(hub, 1);
  await call(hub.url, 'send_message', { target: 'ben', message: 'hi' }, { agent: 'ann', session });
  const { structured } = await waiting;
  return structured.clampedToMs ?? askedMs;
}
