// Hubs on a primary that has a standby, all by one address that can move from one to the other.
import { expect } from 'vitest';
import { call, post } from '../support/http-call.js';
import { DatabaseDoor } from './database-door.js';
import { withFaultRun, type FaultRun } from './fault-run.js';
import { withPair, type Pair } from './primary-and-standby.js';

export interface FailoverRun extends Pair, FaultRun {
  /** Of the first hub. */
  url: string;
  /** The address that moves. */
  door: DatabaseDoor;
}

export interface FailoverOptions {
  name: string;
  hubs: number;
  replication: 'synchronous' | 'asynchronous';
}

const manualLeaseMs = 3_000;

/** The hubs are up when `body` begins and have nothing to complain of when it ends; nothing of it outlives it. */
export function withFailoverRun<Result>(
  { name, hubs, replication }: FailoverOptions,
  body: (run: FailoverRun) => Promise<Result>,
): Promise<Result> {
  return withPair(replication, async (pair) => {
    const door = await DatabaseDoor.open(pair.primary.url);
    const stores = Array.from({ length: hubs }, () => ['--database', door.url]);
    try {
      return await withFaultRun({ name, manualLeaseMs, stores, seed: 1 }, async (run) => {
        for (const hub of run.hubs) await hub.start();
        const result = await body({ ...pair, ...run, url: run.hub.url, door });
        // That the database was away is no bug.
        expect(run.hubs.flatMap((hub) => hub.complaints()).filter((line) => !line.includes('"warn"'))).toEqual([]);
        return result;
      });
    } finally {
      door.close();
    }
  });
}

export const twoAgents = async (url: string): Promise<void> => {
  for (const agentId of ['ann', 'ben']) await call(url, 'register_agent', { agentId });
};

export const sendToBen = (url: string, content: string, more: object = {}) =>
  post(url, 'send_message', { target: 'ben', content, ...more }, { agent: 'ann' });

/** What ben has not read, without reading it. */
export async function unreadOfBen(url: string): Promise<string[]> {
  const read = await call(url, 'get_messages', { limit: 500, markAsRead: false }, { agent: 'ben' });
  return read.messages.map(({ content }: { content: { text: string }[] }) => content[0]?.text);
}
