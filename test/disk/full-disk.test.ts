// A full disk answers STORE_FULL, loses nothing that was acknowledged, and recovers by itself.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { call, post, type HttpAnswer } from '../support/http-call.js';
import { cliPath, startHubProcess, type HubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';

const body = 'x'.repeat(8_000);
const send = (hub: HubProcess, message: string, filling = body) =>
  post(hub.url, 'send_message', { target: 'ben', message: `${message} ${filling}` }, { agent: 'ann' });

/** A few of these fill a disk. */
const longBody = 'x'.repeat(30_000);

interface Filled {
  acknowledged: string[];
  refused: HttpAnswer;
}

const readiness = async (hub: HubProcess) => {
  const answer = await fetch(`${hub.url}/readyz`);
  return { status: answer.status, body: await answer.json() };
};
const notReady = { status: 503, body: { status: 'store refuses writes', code: 'STORE_FULL' } };

/** Sends until the hub says no; every acknowledged id is kept. */
async function fill(hub: HubProcess, filling = body): Promise<Filled> {
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
  const acknowledged: string[] = [];
  for (let count = 0; count < 2_000; count++) {
    const answer = await send(hub, `message ${count}`, filling);
    if (answer.status !== 200) return { acknowledged, refused: answer };
    acknowledged.push(answer.body.messageId);
  }
  throw new Error('the disk never filled');
}

/** Every message of the session, from the feed: it reads and changes nothing, so it works on a full disk. */
async function stored(hub: HubProcess, atLeast: number): Promise<string[]> {
  const abort = new AbortController();
  const response = await fetch(`${hub.url}/v1/events`, { signal: abort.signal, headers: { 'last-event-id': '0' } });
  const decoder = new TextDecoder();
  let text = '';
  const ids = () => [...text.matchAll(/^data: \{"id":"(\w+)"/gm)].map(([, id]) => id ?? '');
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (ids().length >= atLeast) break;
  }
  abort.abort();
  return ids();
}

/** One call each; the next call names the cursor of the last answer, which confirms it. */
async function takeSome(hub: HubProcess, calls: number): Promise<{ id: string; redelivered: boolean }[]> {
  const taken: { id: string; redelivered: boolean }[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < calls; count++) {
    const [operation, more] = count % 2 === 0 ? ['get_messages', {}] : ['wait_for_mentions', { timeoutMs: 5_000 }];
    const answer = await call(hub.url, operation, { ...more, limit: 1, ack: 'manual', cursor }, { agent: 'ben' });
    for (const { id, redelivered } of answer.messages) taken.push({ id, redelivered: redelivered === true });
    ({ cursor } = answer);
  }
  await call(hub.url, 'ack_messages', { cursor }, { agent: 'ben' });
  return taken;
}

function expectFull(answer: HttpAnswer): void {
  expect(answer).toMatchObject({ status: 507, body: { error: { code: 'STORE_FULL', retry: 'later' } } });
  expect(answer.body.error.hint).not.toBe('');
}

/** What must hold on a full disk: reads work, writes are refused alike, the hub is alive. */
async function expectReadable(hub: HubProcess, { acknowledged }: Filled): Promise<void> {
  expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
  const peeked = await call(hub.url, 'get_messages', { markAsRead: false, limit: 500 }, { agent: 'ben' });
  expect(peeked.messages.map(({ id }: { id: string }) => id)).toEqual(acknowledged);
  expect(await stored(hub, acknowledged.length)).toEqual(acknowledged);
  const last = acknowledged.at(-1);
  const receipts = await call(hub.url, 'get_receipts', { messageId: last }, { agent: 'ann' });
  expect(receipts.deliveries).toMatchObject([{ recipient: 'ben', state: 'pending' }]);
  expect(hub.stderr()).not.toContain('"event":"bug"');
}

describe('a store with a bound', () => {
  it('refuses what would pass it and leaves nothing of that; all before stays readable, also after a restart', async () => {
    const hub = await startHubProcess({ args: ['--store-max-mb', '1'] });
    const filled = await fill(hub);
    expectFull(filled.refused);
    expect(filled.acknowledged.length).toBeGreaterThan(20);
    await expectReadable(hub, filled);
    expectFull(await send(hub, 'again'));
    expect(await readiness(hub)).toEqual(notReady);
    const short = await post(
      hub.url,
      'create_thread',
      { title: 'a', participants: ['ben'], message: body },
      { agent: 'ann' },
    );
    expectFull(short);
    expect((await call(hub.url, 'list_threads', {})).threads).toEqual([]);
    await hub.kill();

    const larger = await startHubProcess({ data: hub.data, args: ['--store-max-mb', '4'] });
    await expectReadable(larger, filled);
    expect((await send(larger, 'fits now')).status).toBe(200);
  });

  it('still hands out what it has: every reader of a full store gets its mail once, also after a kill', async () => {
    const hub = await startHubProcess({ args: ['--store-max-mb', '1'] });
    const { acknowledged } = await fill(hub, longBody);
    const taken = await takeSome(hub, 12);
    expect(taken).toEqual(acknowledged.slice(0, 12).map((id) => ({ id, redelivered: false })));
    await hub.kill();
    const again = await startHubProcess({ data: hub.data, args: ['--store-max-mb', '1'] });
    expect(await takeSome(again, 1)).toEqual([{ id: acknowledged[12], redelivered: false }]);
  });
});

const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

const system = (command: string, ...args: string[]) => execFileSync(command, args);

/** A disk of its own, 3 MB small. */
async function onSmallDisk(run: (mount: string) => Promise<void>): Promise<void> {
  const folder = tempFolder();
  const mount = join(folder, 'disk');
  mkdirSync(mount);
  system('mount', '-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', mount);
  cleanUpAfter(() => system('umount', mount));
  await run(mount);
}

/** Takes the last free page. */
function fillUp(mount: string): void {
  for (let count = 0; count < 1_000; count++) {
    try {
      writeFileSync(join(mount, `ballast-${count}`), Buffer.alloc(4096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}

/** Starts a hub, ends it if it serves, and shows how it ended; null is one that neither served nor went. */
async function tryToServe(data: string): Promise<{ isReady: boolean; exitCode: number | null; stderr: string }> {
  const child = spawn(process.execPath, [cliPath, 'serve', '--port', '0', '--data', data]);
  let [isReady, stderr] = [false, ''];
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.on('data', () => {
    isReady = true;
    child.kill('SIGTERM');
  });
  const overdue = setTimeout(() => child.kill('SIGKILL'), 50_000);
  await once(child, 'close');
  clearTimeout(overdue);
  return { isReady, exitCode: child.exitCode, stderr };
}

describe('a disk that is really full', () => {
  it.runIf(mayMount)(
    'refuses sends, keeps what it acknowledged, and takes sends again once there is space',
    async () => {
      await onSmallDisk(async (mount) => {
        writeFileSync(join(mount, 'ballast'), Buffer.alloc(1024 * 1024));
        let hub = await startHubProcess({ data: join(mount, 'data') });
        const filled = await fill(hub);
        expectFull(filled.refused);
        await expectReadable(hub, filled);
        expectFull(await send(hub, 'still full'));
        expect(await readiness(hub)).toEqual(notReady);

        rmSync(join(mount, 'ballast'));
        const running = hub;
        const first = await eventually('a send is taken again', async () => {
          const answer = await send(running, 'after');
          return answer.status === 200 ? answer : undefined;
        });
        filled.acknowledged.push(first.body.messageId);
        await expectReadable(hub, filled);
        expect(await readiness(hub)).toMatchObject({ status: 200 });

        await hub.kill();
        hub = await startHubProcess({ data: hub.data });
        await expectReadable(hub, filled);
      });
    },
  );

  it.runIf(mayMount)('hands out each message once, and writes that down once there is space', async () => {
    await onSmallDisk(async (mount) => {
      writeFileSync(join(mount, 'ballast'), Buffer.alloc(1024 * 1024));
      const hub = await startHubProcess({ data: join(mount, 'data') });
      const { acknowledged } = await fill(hub, longBody);
      fillUp(mount);
      const taken = await takeSome(hub, 12);
      expect(taken).toEqual(acknowledged.slice(0, 12).map((id) => ({ id, redelivered: false })));
      expectFull(await send(hub, 'still full'));
      expect(await readiness(hub)).toEqual(notReady);
      for (const name of readdirSync(mount)) if (name.startsWith('ballast')) rmSync(join(mount, name));
      await eventually('the hub is ready', async () => ((await readiness(hub)).status === 200 ? true : undefined));
      expect(await takeSome(hub, 1)).toEqual([{ id: acknowledged[12], redelivered: false }]);
      await hub.kill();
      const again = await startHubProcess({ data: hub.data });
      expect(await takeSome(again, 1)).toEqual([{ id: acknowledged[13], redelivered: false }]);
    });
  });

  it.runIf(mayMount)('marks everything after a kill: which copies were handed out is not known', async () => {
    await onSmallDisk(async (mount) => {
      writeFileSync(join(mount, 'ballast'), Buffer.alloc(1024 * 1024));
      const hub = await startHubProcess({ data: join(mount, 'data') });
      const { acknowledged } = await fill(hub, longBody);
      fillUp(mount);
      await takeSome(hub, 3);
      await hub.kill();
      for (const name of readdirSync(mount)) if (name.startsWith('ballast')) rmSync(join(mount, name));
      const again = await startHubProcess({ data: hub.data });
      const taken = await takeSome(again, 5);
      expect(taken).toEqual(acknowledged.slice(0, 5).map((id) => ({ id, redelivered: true })));
    });
  });

  it.runIf(mayMount)('does not start a hub: it says why and exits, and starts it once there is space', async () => {
    await onSmallDisk(async (mount) => {
      writeFileSync(join(mount, 'ballast'), Buffer.alloc(1024 * 1024));
      const data = join(mount, 'data');
      const first = await startHubProcess({ data });
      const { acknowledged } = await fill(first);
      fillUp(mount);
      expect(await first.stop()).toBe(0);
      // The lock needs a page to be taken, the note of who holds it another: each may be the one that is missing.
      for (const pagesFree of [0, 1, 2, 3]) {
        fillUp(mount);
        for (let page = 0; page < pagesFree; page++) rmSync(join(mount, `ballast-${page}`));
        const { isReady, exitCode, stderr } = await tryToServe(data);
        if (!isReady) expect(stderr).toMatch(/^(DATA_NOT_WRITABLE|STORE_FULL): /);
        expect(exitCode).toBe(isReady ? 0 : 3);
      }
      for (const name of readdirSync(mount)) if (name.startsWith('ballast')) rmSync(join(mount, name));
      const second = await startHubProcess({ data });
      expect(await stored(second, acknowledged.length)).toEqual(acknowledged);
    });
  });
});
