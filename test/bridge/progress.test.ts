// A client that asks for progress hears of it while its wait is parked.
import { expect, it } from 'vitest';
import { startHubProcess } from '../support/hub-process.js';
import { generations } from '../support/mcp-clients.js';
import { connectStdio } from './stdio-clients.js';

it('tells each generation of clients every fifteen seconds that it still waits', async () => {
  const hub = await startHubProcess();
  const told = await Promise.all(
    generations.map(async (generation) => {
      const agent = generation.replaceAll(' ', '-');
      const client = await connectStdio(generation, [...hub.flags, '--agent', agent]);
      let count = 0;
      const got = await client.call('wait_for_mentions', { timeoutMs: 16_000 }, { onprogress: () => (count += 1) });
      expect(got.structured).toMatchObject({ timedOut: true });
      await client.close();
      return count;
    }),
  );
  expect(told).toEqual(generations.map(() => 1));
}, 120_000);
