// BUSY says that nothing was done and when to come again: SDK, CLI and bridge wait that long and repeat the call.
import { describe, expect, it } from 'vitest';
import { HubClient } from '../../dist/client/index.js';
import { runCli } from '../cli/run-cli.js';
import { startBusyDoor } from '../support/busy-hub.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { connectStdio } from './stdio-clients.js';

const hub = useHub();

const sent = async (session: string): Promise<unknown[]> =>
  (await call(hub.url, 'get_sent_messages', {}, { agent: 'ann', session })).messages;

async function behindBusyDoor(session: string, refusals: number, operation = 'send_message') {
  await call(hub.url, 'register_agent', {}, { agent: 'ben', session });
  return startBusyDoor(hub.url, { operation, refusals });
}

const message = { target: 'ben', content: 'once' };

describe('a hub that is busy for a while', () => {
  it('is called again by the SDK, and the message is sent once', async () => {
    const door = await behindBusyDoor('sdk', 2);
    const ann = new HubClient({ url: door.url, agent: 'ann', session: 'sdk' });
    await ann.call('send_message', message);
    expect([door.calls('send_message'), (await sent('sdk')).length]).toEqual([3, 1]);
  });

  it('is called again by the CLI', async () => {
    const door = await behindBusyDoor('cli', 2);
    const args = ['send', '--to', 'ben', 'once', '--url', door.url, '--as', 'ann', '--session', 'cli'];
    expect(await runCli(args)).toMatchObject({ exitCode: 0 });
    expect([door.calls('send_message'), (await sent('cli')).length]).toEqual([3, 1]);
  });

  it('is called again by the bridge, and the model sees no error', async () => {
    const door = await behindBusyDoor('bridge', 2);
    const client = await connectStdio('v1', ['--url', door.url, '--agent', 'ann', '--session', 'bridge']);
    expect((await client.call('send_message', message)).isError).not.toBe(true);
    expect([door.calls('send_message'), (await sent('bridge')).length]).toEqual([3, 1]);
  });

  it('takes its time from the wait it delays', async () => {
    const door = await behindBusyDoor('wait', 2, 'wait_for_mentions');
    const ben = new HubClient({ url: door.url, agent: 'ben', session: 'wait' });
    const before = performance.now();
    const { timedOut, waitedMs } = await ben.call('wait_for_mentions', { timeoutMs: 2_000 });
    expect(timedOut).toBe(true);
    expect(waitedMs).toBeGreaterThanOrEqual(1_990);
    expect(performance.now() - before).toBeGreaterThanOrEqual(1_990);
    expect(door.calls('wait_for_mentions')).toBe(3);
  });
});

describe('BUSY is what the caller sees', () => {
  const refused = (door: { url: string }, options = {}) =>
    new HubClient({ url: door.url, agent: 'ann', ...options }).call('send_message', message);

  it('if the hub stays busy for the time that the program allows', async () => {
    const door = await startBusyDoor(hub.url, { operation: 'send_message', refusals: 99, retryAfterMs: 400 });
    await expect(refused(door, { busyMs: 2_000 })).rejects.toMatchObject({ code: 'BUSY' });
    const calls = door.calls('send_message');
    expect(calls).toBeGreaterThan(1);
    // It was the time, and not the number of calls.
    expect(calls).toBeLessThan(7);
  });

  it('after ten calls, however soon the hub asks for them', async () => {
    const door = await startBusyDoor(hub.url, { operation: 'send_message', refusals: 99, retryAfterMs: 1 });
    await expect(refused(door)).rejects.toMatchObject({ code: 'BUSY' });
    expect(door.calls('send_message')).toBe(10);
  });

  it('at once if the hub asks to come after that time, or after the wait’s own', async () => {
    const door = await startBusyDoor(hub.url, { operation: 'send_message', refusals: 99, retryAfterMs: 300 });
    await expect(refused(door, { busyMs: 200 })).rejects.toMatchObject({ code: 'BUSY' });
    expect(door.calls('send_message')).toBe(1);
    const waiting = await startBusyDoor(hub.url, { operation: 'wait_for_mentions', refusals: 9, retryAfterMs: 300 });
    const ann = new HubClient({ url: waiting.url, agent: 'ann' });
    await expect(ann.call('wait_for_mentions', { timeoutMs: 200 })).rejects.toMatchObject({ code: 'BUSY' });
    expect(waiting.calls('wait_for_mentions')).toBe(1);
  });

  it('if a thread may have been created already', async () => {
    const door = await startBusyDoor(hub.url, { operation: 'create_critical_thread', refusals: 9 });
    const ann = new HubClient({ url: door.url, agent: 'ann' });
    const asking = ann.call('create_critical_thread', { title: 'Q', participants: ['ben'], initialMessage: 'well?' });
    await expect(asking).rejects.toMatchObject({ code: 'BUSY' });
    expect(door.calls('create_critical_thread')).toBe(1);
  });
});

it('a call that is given up while the hub is busy ends at once', async () => {
  const door = await startBusyDoor(hub.url, { operation: 'send_message', refusals: 9, retryAfterMs: 20_000 });
  const ann = new HubClient({ url: door.url, agent: 'ann' });
  const givenUp = new AbortController();
  const sending = ann.call('send_message', message, { signal: givenUp.signal });
  const ended = expect(sending).rejects.toThrow('given up');
  await eventually('the first refusal', () => door.calls('send_message') === 1);
  givenUp.abort(new Error('given up'));
  await ended;
  expect(door.calls('send_message')).toBe(1);
});

it('other errors are not repeated, also not those that may pass', async () => {
  const door = await startBusyDoor(hub.url, { operation: 'send_message', refusals: 9, code: 'STORE_UNAVAILABLE' });
  const ann = new HubClient({ url: door.url, agent: 'ann' });
  await expect(ann.call('send_message', message)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(door.calls('send_message')).toBe(1);
});
