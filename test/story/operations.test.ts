// What operators and their machines see: health, metrics, logs and the description of the interface.
import { describe, expect, it } from 'vitest';
import { operationList } from '../../dist/contract/index.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { connectMcp } from '../support/mcp-clients.js';
import { metric, parkedAt } from '../support/metrics.js';
import { useHubProcess } from '../support/use-hub-process.js';

const hub = useHubProcess();

async function get(path: string): Promise<{ status: number; type: string; text: string; headers: Headers }> {
  const response = await fetch(`${hub.url}${path}`);
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text: await response.text(), headers: response.headers };
}

/** A family's rows: labels to value. */
async function rows(name: string): Promise<Map<string, number>> {
  const { text } = await get('/metrics');
  const found = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(found.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

describe('health', () => {
  it.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready' }],
  ])('%s says that all is well', async (path, body) => {
    const { status, type, text } = await get(path);
    expect({ status, type, body: JSON.parse(text) }).toEqual({ status: 200, type: 'application/json', body });
  });

  it('a probe with HEAD gets the same status', async () => {
    expect((await fetch(`${hub.url}/readyz`, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('/metrics', () => {
  it('is in the form Prometheus reads: each family named, typed and with finite values', async () => {
    const { type, text } = await get('/metrics');
    expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
    const families = [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, name]) => name ?? '');
    expect(new Set(families).size).toBe(families.length);
    for (const line of text.trimEnd().split('\n')) {
      if (line.startsWith('#')) continue;
      expect(line).toMatch(/^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?\d+(\.\d+)?(e[+-]?\d+)?$/);
      expect(families.some((family) => line.startsWith(family))).toBe(true);
    }
  });

  it('counts sends, copies, parked waits, wake-ups, commits and deliveries as they happen', async () => {
    const session = 'counted';
    for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
    const before = await metric(hub.url, 'coterie_sends_total');
    const woken = await metric(hub.url, 'coterie_wake_ms_count');
    const returned = await metric(hub.url, 'coterie_copies_total');

    const waiting = call(hub.url, 'wait_for_mentions', { timeoutMs: 20_000, ack: 'manual' }, { agent: 'ben', session });
    await parkedAt(hub, 1);
    await call(hub.url, 'send_message', { target: 'ben', message: 'one' }, { agent: 'ann', session });
    const { cursor } = await waiting;
    expect(await metric(hub.url, 'coterie_waits_parked')).toBe(0);
    expect(await metric(hub.url, 'coterie_wake_ms_count')).toBe(woken + 1);
    expect((await rows('coterie_deliveries')).get('{state="delivered"}')).toBe(1);

    await call(hub.url, 'send_message', { target: 'ben', message: 'two' }, { agent: 'ann', session });
    expect(await metric(hub.url, 'coterie_sends_total')).toBe(before + 2);
    expect(await metric(hub.url, 'coterie_copies_total')).toBe(returned + 2);
    expect((await rows('coterie_deliveries')).get('{state="pending"}')).toBe(1);

    await call(hub.url, 'ack_messages', { cursor }, { agent: 'ben', session });
    const ended = () => rows('coterie_copies_ended_total');
    await eventually('the copy is read', async () => (await ended()).get('{state="read"}') === 1);
    expect([...(await ended()).keys()].toSorted()).toEqual([
      '{state="dead_lettered"}',
      '{state="expired"}',
      '{state="read"}',
    ]);
    expect((await rows('coterie_deliveries')).get('{state="delivered"}')).toBe(0);
    expect(await metric(hub.url, 'coterie_commit_batch_commands_count')).toBeGreaterThan(0);
    expect(await metric(hub.url, 'coterie_commit_ms_count')).toBeGreaterThan(0);
  });

  it('counts dead letters: of an unknown target, and of an agent that is removed', async () => {
    const session = 'dead';
    const dead = async () => (await rows('coterie_copies_ended_total')).get('{state="dead_lettered"}') ?? 0;
    const before = await dead();
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    await call(hub.url, 'send_message', { target: 'ben', message: 'too late' }, { agent: 'ann', session });
    await post(hub.url, 'send_message', { target: 'nobody', message: 'lost' }, { agent: 'ann', session });
    expect(await dead()).toBe(before + 1);
    await call(hub.url, 'remove_agent', { agentId: 'ben' }, { agent: 'ann', session });
    expect(await dead()).toBe(before + 2);
  });

  it('counts calls by operation and outcome, and no name a caller made up', async () => {
    await post(hub.url, 'send_message', { target: 'ben' }, { agent: 'ann' });
    await post(hub.url, 'made_up_name', {});
    const counted = await rows('coterie_operations_total');
    expect(counted.get('{operation="send_message",outcome="INVALID_INPUT"}')).toBe(1);
    expect(counted.get('{operation="unknown",outcome="OPERATION_UNKNOWN"}')).toBe(1);
    expect((await get('/metrics')).text).not.toContain('made_up');
  });
});

describe('the log', () => {
  it('has one JSON line per operation, with who, what came of it and how long, and never what was said', async () => {
    const session = 'logged';
    const secret = 'the-secret-words';
    const mine = () => {
      // The last one may still be on its way.
      const lines = hub.stderr().split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line)).filter((entry) => entry.session === session);
    };
    await call(hub.url, 'register_agent', { description: secret }, { agent: 'ben', session });
    await call(
      hub.url,
      'send_message',
      { target: 'ben', message: secret, payload: { secret } },
      { agent: 'ann', session },
    );
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ben&session=${session}`);
    await client.call('get_messages', {});
    await client.call('send_message', { target: 'nobody', message: secret, idempotency_key: secret });
    await client.close();
    const logged = await eventually('four lines', () => mine().length >= 4 && mine());
    expect(logged).toMatchObject([
      { level: 'info', event: 'operation', operation: 'register_agent', door: 'http', agent: 'ben', code: 'ok' },
      { operation: 'send_message', door: 'http', agent: 'ann', code: 'ok' },
      { operation: 'get_messages', door: 'mcp', agent: 'ben', code: 'ok' },
      { operation: 'send_message', door: 'mcp', agent: 'ben', code: 'TARGET_UNKNOWN' },
    ]);
    for (const { at, ms } of logged) {
      expect(new Date(at).toISOString()).toBe(at);
      expect(ms).toBeGreaterThan(0);
    }
    expect(hub.stderr()).not.toContain(secret);
  });

  it('says when a hub is ready and how it stopped', async () => {
    const other = await startHubProcess();
    await other.stop();
    const events = other.stderr().trimEnd().split('\n');
    expect(events.map((line) => JSON.parse(line).event)).toEqual(['ready', 'stopping', 'stopped']);
  });

  it('has no line below its level', async () => {
    const quiet = await startHubProcess({ args: ['--log-level', 'warn'] });
    await call(quiet.url, 'list_agents', {});
    await quiet.stop();
    expect(quiet.stderr()).toBe('');
  });

  it('keeps a name a caller made up short', async () => {
    await post(hub.url, 'long'.repeat(100), {});
    const line = await eventually('the line', () =>
      hub
        .stderr()
        .split('\n')
        .find((text) => text.includes('longlong')),
    );
    expect(JSON.parse(line).operation.length).toBeLessThanOrEqual(64);
  });
});

describe('every operation', () => {
  it.each(operationList.map(({ name }) => name))(
    '%s is reachable by POST, in snake_case and with dashes',
    async (name) => {
      for (const spelled of [name, name.replaceAll('_', '-')]) {
        const { status, body } = await post(hub.url, spelled, { timeoutMs: 0 }, { agent: 'reach', session: 'reach' });
        expect(status).not.toBe(404);
        expect(['OPERATION_UNKNOWN', 'ROUTE_UNKNOWN', 'INTERNAL']).not.toContain(body.error?.code);
      }
    },
  );
});
