// Measures a round trip, sends, and how fast a send wakes a wait. In its own session, with agents that it removes, so
// that no user sees any of it.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HubClient } from '../../client/hub-client.js';

export interface Measured {
  readonly roundTripMs: number;
  readonly sendMs: number;
  readonly wakeMs: number;
}

/** Shared by all runs: sessions are never removed, and their number is limited. */
const session = 'coterie-doctor';
const repeats = 9;
const wakes = 3;
const pollMs = 5;
const waitMs = 10_000;

export async function measureHub(url: string): Promise<Measured> {
  const run = randomBytes(4).toString('hex');
  const sender = new HubClient({ url, session, agent: `sender-${run}` });
  const reader = new HubClient({ url, session, agent: `reader-${run}` });
  await Promise.all([sender.call('register_agent', {}), reader.call('register_agent', {})]);
  try {
    const roundTripMs = await measureTrip(url);
    const send = (content: string) => sender.call('send_message', { target: `reader-${run}`, content });
    const sendMs = await median(repeats, () => send('doctor: measuring a send'));
    await reader.getMessages();
    const wakeMs = await medianOf(wakes, () =>
      timeWake(reader, `reader-${run}`, () => send('doctor: measuring a wake')),
    );
    return { roundTripMs, sendMs, wakeMs };
  } finally {
    await reader.ack().catch(() => {});
    // Removing an agent removes its unread messages.
    await Promise.allSettled([sender.call('remove_agent', {}), reader.call('remove_agent', {})]);
  }
}

export function measureTrip(url: string): Promise<number> {
  return median(repeats, () => fetch(`${url}/healthz`).then((answer) => answer.text()));
}

/** From the send until the parked wait returns the message. */
async function timeWake(reader: HubClient, id: string, send: () => Promise<unknown>): Promise<number> {
  const waiting = reader.waitForMentions({ timeoutMs: waitMs });
  while (!(await isParked(reader, id))) await sleep(pollMs);
  const startedAt = performance.now();
  await Promise.all([send(), waiting]);
  const { messages } = await waiting;
  if (messages.length === 0) throw new Error('a wait was not woken by the message that was sent to it');
  return performance.now() - startedAt;
}

async function isParked(reader: HubClient, id: string): Promise<boolean> {
  const { agents } = await reader.call('list_agents', {});
  return agents.some((agent) => agent.id === id && agent.presence === 'waiting');
}

async function median(times: number, act: () => Promise<unknown>): Promise<number> {
  return medianOf(times, async () => {
    const startedAt = performance.now();
    await act();
    return performance.now() - startedAt;
  });
}

async function medianOf(times: number, measure: () => Promise<number>): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < times; run++) taken.push(await measure());
  return taken.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}
