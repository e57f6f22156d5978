// What hubs say to each other may be lost, too long, or not from a hub at all: it costs time, and nothing else.
import { Client } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { ParkedWait, ParkedWaits } from '../../dist/message/wait/parked-waits.js';
import type { HubLinkListener } from '../../dist/ports/hub-link.js';
import { AcrossHubs } from '../../dist/wakeup/across-hubs.js';
import { InProcessWakeup } from '../../dist/wakeup/in-process.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

afterEach(() => vi.useRealTimers());

it('a word that no hub said is left alone', async () => {
  const folder = tempFolder();
  const hub = await startHubProcess({ data: folder });
  await call(hub.url, 'register_agent', { agentId: 'ann' });
  const client = new Client((await databaseOf(folder)) ?? '');
  await client.connect();
  // The last is one that a hub could have said: words are heard in their order.
  const told = `hub [["presence","default","ann",${Date.now()},1]]`;
  for (const word of ['', 'hello world', 'hub [1', 'hub {"a":1}', 'hub [["copy"]]', told])
    await client.query('select pg_notify($1, $2)', ['coterie', word]);
  await client.end();
  await eventually('ann is heard of', async () => {
    const { agents } = await call(hub.url, 'list_agents', {});
    return agents[0].presence === 'waiting';
  });
});

/** One parked wait of ben's, and what the store says of his mail. */
function benWaits() {
  vi.useFakeTimers();
  const parked = new ParkedWaits();
  const wait = new ParkedWait({ sessionId: 'default', agentId: 'ben', filter: { wakingOnly: true }, token: 't' });
  parked.add(wait);
  const published: string[] = [];
  const heard: HubLinkListener[] = [];
  const link = {
    payloadBytesMax: 100,
    listen: (listener: HubLinkListener) => void heard.push(listener),
    publish: (payloads: readonly string[]) => void published.push(...payloads),
    newestMail: () => Promise.resolve([{ sessionId: 'default', agentId: 'ben', seq: 9 }]),
    lastSeqs: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const across = new AcrossHubs({
    link,
    local: new InProcessWakeup(parked),
    log: { info() {}, warn() {}, error() {} },
    now: () => 0,
    waiting: () => parked.readers(),
    signalReader: (session, agent) => parked.signalAll(session, agent),
  });
  return { across, wait, published, hear: (payload: string) => heard[0]?.received(payload) };
}

it('older mail that became free beside newer, unwanted mail is found without a word', async () => {
  const { across, wait } = benWaits();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(wait.isSignalled).toBe(true);
  // It looked, and wants nothing of it. Then something older is free again, and whoever freed it died before it said so.
  wait.isSignalled = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(wait.isSignalled).toBe(true);
  across.stop();
});

it('what is too long to be said does not keep other words from being said', async () => {
  const { across, published } = benWaits();
  across.cancelled('label', 'x'.repeat(200), 'timed-out');
  across.freed('default', 'ben');
  await vi.advanceTimersByTimeAsync(1);
  expect(published).toEqual(['[["hello"],["freed","default","ben"]]']);
  across.stop();
});

it('a cancellation is said so that hubs of the release before understand it', async () => {
  const { across, published } = benWaits();
  await vi.advanceTimersByTimeAsync(1);
  across.cancelled('label', 7, 'timed-out');
  await vi.advanceTimersByTimeAsync(1);
  across.cancelled('label', 'seven', 'aborted');
  await vi.advanceTimersByTimeAsync(1);
  expect(published.slice(1)).toEqual([
    '[["cancelled","label","number","7"]]',
    // They ignore the first, which they do not know.
    '[["aborted","label","string","seven"],["cancelled","label","string","seven"]]',
  ]);
  across.stop();
});

it('a cancellation that a hub of the release before has said takes back, as there', () => {
  const { across, hear } = benWaits();
  const cancelled = vi.fn();
  across.listen({
    cancelled,
    presenceChanged() {},
    programChanged() {},
    agentsChanged() {},
    keysChanged() {},
    missed() {},
    turnTaken() {},
    callsSpent() {},
    alertsSpent() {},
    wakeChanged() {},
    loopStopped() {},
    delaysCounted() {},
    greeted() {},
  });
  hear('[["cancelled","label","number","7"]]');
  hear('[["aborted","label","string","seven"]]');
  expect(cancelled.mock.calls).toEqual([
    ['label', 7, 'timed-out'],
    ['label', 'seven', 'aborted'],
  ]);
  across.stop();
});
