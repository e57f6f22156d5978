// Followers of /v1/events that do not read: the hub keeps a small page for each, and reads on when they do.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { configFile } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { followEvents } from '../support/follow-events.js';
import { call } from '../support/http-call.js';
import { healthDuring, healthMsMax, startSmallHub } from './attacked-hub.js';
import { askWithoutReading, peakMiB, peakMiBMax, sendLong } from './long-messages.js';

const messages = 200;
const followers = 30;

it(
  'thirty followers that never read cost little memory, and one that reads again misses nothing',
  { tags: ['long'], timeout: 120_000 },
  async () => {
    const hub = await startSmallHub();
    for (const agentId of ['sender', 'reader']) await call(hub.url, 'register_agent', { agentId }, { agent: agentId });
    const following = { path: '/v1/events', agent: 'reader' };
    const sockets = await Promise.all(Array.from({ length: followers }, () => askWithoutReading(hub.url, following)));
    const health = await healthDuring(hub.url, () => sendLong(hub.url, { target: 'reader' }, messages));
    expect(health).toMatchObject({ failures: 0 });
    expect(health.slowestMs).toBeLessThan(healthMsMax);
    expect(peakMiB(hub.pid)).toBeLessThan(peakMiBMax);

    const [slow, ...others] = sockets;
    for (const socket of others) socket.destroy();
    const seqs: number[] = [];
    let rest = '';
    slow?.on('data', (chunk: Buffer) => {
      const ends = `${rest}${chunk.toString('latin1')}`.split('\n\n');
      rest = ends.pop() ?? '';
      for (const frame of ends) {
        const [, seq] = /id: (\d+)\nevent: message/.exec(frame) ?? [];
        if (seq !== undefined) seqs.push(Number(seq));
      }
    });
    slow?.resume();
    await eventually('all messages', () => seqs.length === messages);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(new Set(seqs).size).toBe(messages);
  },
);

it('a follower that takes nothing for long is disconnected, and resumes at its position', async () => {
  const hub = await startSmallHub({ args: ['--config', configFile({ limits: { streamStuckMs: 200 } })] });
  for (const agentId of ['sender', 'reader']) await call(hub.url, 'register_agent', { agentId }, { agent: agentId });
  const socket = await askWithoutReading(hub.url, { path: '/v1/events', agent: 'reader' });
  await sendLong(hub.url, { target: 'reader' }, 60);
  let received = '';
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await eventually('disconnected', () => !isServed(socket));
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.resume();
  await closed;
  const ids = [...received.matchAll(/^id: (\d+)\nevent: message\n.*\n\n/gm)].map(([, id]) => Number(id));
  // This follower reads, but on a busy machine not always soon enough: it goes on where it was, too.
  while (ids.length < 60) {
    const resumed = await followEvents(hub.url, { lastEventId: ids.at(-1) });
    const before = ids.length;
    await eventually('the rest', () => resumed.isOver() || before + resumed.seqs().length === 60);
    ids.push(...resumed.seqs());
    resumed.close();
  }
  expect(ids).toHaveLength(60);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(ids).size).toBe(60);
});

/** By the hub's side, in the system's table: this side does not notice before it has read what the kernel holds. */
function isServed({ localPort = 0 }: Socket): boolean {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0');
  return new RegExp(`^ *\\d+: \\w+:\\w+ \\w+:${port} 01 `, 'm').test(readFileSync('/proc/net/tcp', 'utf8'));
}
