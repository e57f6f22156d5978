// A disk that refuses writes: a quota, an I/O error. The hub refuses sends, hands out what it has, and recovers. A failed
// fsync ends it: what it acknowledged before is there after the restart.
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { onFailingDisk, whyNoFaults } from './failing-disk.js';

const send = (hub: HubProcess, message: string) =>
  post(hub.url, 'send_message', { target: 'ben', message }, { agent: 'ann' });
const take = async (hub: HubProcess) => {
  const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben' });
  return messages.map(({ content, redelivered }: { content: { text: string }[]; redelivered?: boolean }) => [
    content[0]?.text,
    redelivered === true,
  ]);
};
const readiness = async (hub: HubProcess) => {
  const answer = await fetch(`${hub.url}/readyz`);
  return [answer.status, ((await answer.json()) as { code?: string }).code];
};

async function withTeam() {
  const disk = await onFailingDisk();
  for (const agentId of ['ann', 'ben']) await call(disk.hub.url, 'register_agent', { agentId });
  for (const text of ['one', 'two']) expect((await send(disk.hub, text)).status).toBe(200);
  return disk;
}

describe.skipIf(whyNoFaults !== undefined)(
  `a disk that fails${whyNoFaults === undefined ? '' : ` (${whyNoFaults})`}`,
  () => {
    it.each([
      ['EDQUOT', 507, 'STORE_FULL'],
      ['EIO', 503, 'STORE_FAILED'],
    ] as const)(
      '%s on write is refused as %i %s; reading goes on, and the hub recovers by itself',
      async (errno, status, code) => {
        const disk = await withTeam();
        const { hub } = disk;
        disk.fail('write', errno);
        expect(await send(hub, 'refused')).toMatchObject({ status, body: { error: { code, retry: 'later' } } });
        expect(await readiness(hub)).toEqual([503, code]);
        expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
        expect(await take(hub)).toEqual([
          ['one', false],
          ['two', false],
        ]);
        expect(await take(hub)).toEqual([]);
        disk.recover();
        await eventually('the hub is ready', async () => ((await readiness(hub))[0] === 200 ? true : undefined));
        expect((await send(hub, 'three')).status).toBe(200);
        await hub.kill();
        const again = await startHubProcess({ data: hub.data });
        expect(await take(again)).toEqual([['three', false]]);
      },
    );

    it('a failed fsync ends the process, and nothing that was acknowledged is lost', async () => {
      const disk = await withTeam();
      const { hub } = disk;
      disk.fail('fsync', 'EIO');
      const ended = once(hub.child, 'exit');
      expect(await send(hub, 'unknown').catch(() => ({ status: 0 }))).not.toMatchObject({ status: 200 });
      expect((await ended)[0]).toBe(70);
      const again = await startHubProcess({ data: hub.data });
      const texts = (await take(again)).map(([text]: [string, boolean]) => text);
      expect(texts.slice(0, 2)).toEqual(['one', 'two']);
    });
  },
);
