// Two programs under one name share its mail: the later one is told so, and everyone can see how many there are.
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectedPrograms } from '../../dist/agent/connected-programs.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { connectMcp, generations, type Generation } from '../support/mcp-clients.js';
import { startMcpProgram, type McpProgram } from '../support/mcp-program.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const programs: McpProgram[] = [];

async function program(generation: Generation, session: string, agent = 'ann'): Promise<McpProgram> {
  const made = await startMcpProgram(generation, `${hub.url}/mcp?agent=${agent}&session=${session}`);
  programs.push(made);
  return made;
}

afterEach(async () => {
  for (const made of programs.splice(0)) await made.exit();
});

const connections = async (session: string) =>
  (await call(hub.url, 'list_agents', {}, { session })).agents[0]?.connections ?? 0;
const isWarned = ({ structured, text }: { structured: { warnings?: string[] }; text: string }) => {
  const warnings = structured.warnings?.filter((line) => line.startsWith('IN_USE:')) ?? [];
  expect(text.match(/^IN_USE:/gm) ?? []).toHaveLength(warnings.length);
  return warnings.length > 0;
};

describe.each(generations)('two programs with %s under one name', (generation) => {
  const session = (name: string) => `${name}-${generation.replaceAll(' ', '-')}`;

  it('are counted, and the later one’s first results say so in both forms, the first one’s do not', async () => {
    const one = await program(generation, session('two'));
    expect(isWarned(await one.call('list_threads', {}))).toBe(false);
    const two = await program(generation, session('two'));
    const first = await two.call('get_messages', {});
    expect(isWarned(first)).toBe(true);
    expect(first.text).toMatch(/^IN_USE: 2 programs act as 'ann'.*\/mcp\?agent=ann-2&session=/m);
    expect(isWarned(await one.call('list_threads', {}))).toBe(false);
    expect(isWarned(await two.call('register_agent', {}))).toBe(true);
    expect(isWarned(await two.call('list_agents', {}))).toBe(true);
    expect(isWarned(await two.call('list_agents', {}))).toBe(false);
    expect(await connections(session('two'))).toBe(2);
    expect((await one.call('list_agents', {})).text).toMatch(/^ann \(ann\) active, 2 connections/);
  });

  it('is not what a restarted program looks like', async () => {
    const one = await program(generation, session('again'));
    await one.call('list_threads', {});
    await one.exit();
    await eventually('its sockets are closed', async () => (await connections(session('again'))) === 0);
    const again = await program(generation, session('again'));
    expect(isWarned(await again.call('list_threads', {}))).toBe(false);
    expect(await connections(session('again'))).toBe(1);
  });

  it('is not what a program that connects anew on its sockets looks like', async () => {
    const address = `${hub.url}/mcp?agent=ann&session=${session('anew')}`;
    for (let times = 0; times < 3; times++) {
      const client = await connectMcp(generation, address);
      expect(isWarned(await client.call('list_threads', {}))).toBe(false);
      expect(await connections(session('anew'))).toBe(1);
      await client.close();
    }
  });

  it('is not what a program with several calls at once looks like', async () => {
    const one = await program(generation, session('busy'));
    const calls = Array.from({ length: 5 }, () => one.call('wait_for_mentions', { timeoutMs: 300 }));
    for (const answer of await Promise.all(calls)) expect(isWarned(answer)).toBe(false);
    expect(isWarned(await one.call('list_threads', {}))).toBe(false);
    expect(await connections(session('busy'))).toBe(1);
  });

  it('are two when the first one waits', async () => {
    const one = await program(generation, session('waits'));
    const waiting = one.call('wait_for_mentions', { timeoutMs: 3_000 });
    const two = await program(generation, session('waits'));
    expect(isWarned(await two.call('list_threads', {}))).toBe(true);
    await two.exit();
    expect(isWarned(await waiting)).toBe(false);
  });
});

it('a program that also sends plain requests is one', async () => {
  await call(hub.url, 'list_threads', {}, { agent: 'ann', session: 'mixed' });
  const client = await connectMcp('v1', `${hub.url}/mcp?agent=ann&session=mixed`);
  expect(isWarned(await client.call('list_threads', {}))).toBe(false);
  const plain = await call(hub.url, 'list_threads', {}, { agent: 'ann', session: 'mixed' });
  expect(plain.warnings).toBeUndefined();
  expect(await connections('mixed')).toBe(1);
  await client.close();
});

describe('hubs tell each other at once, so that another hub warns no program of itself', () => {
  /** Two hubs that hear each other's news. */
  function twoHubs() {
    let now = 1_000_000;
    const clock = { now: () => (now += 0.001), monotonic: () => now, after: () => () => {} };
    const hubs: ConnectedPrograms[] = [0, 1].map(
      (index): ConnectedPrograms =>
        new ConnectedPrograms({
          clock,
          newId: () => `made-${now}`,
          publish: (...news) => hubs[1 - index]?.applyRemote(...news),
        }),
    );
    return hubs as [ConnectedPrograms, ConnectedPrograms];
  }

  const from = (id: string, socket = { destroyed: false, readableEnded: false }) => ({
    id,
    likeness: 'test',
    isHandshake: false,
    isCommand: false,
    isProxied: false,
    socket,
  });
  /** Undefined if it was not noted at all. */
  const warned = (at: ConnectedPrograms, who: ReturnType<typeof from>) => {
    const noted = at.note('s', 'ann', who);
    return noted === undefined ? undefined : at.warn('s', 'ann', noted);
  };

  it('of two programs', () => {
    const [one, other] = twoHubs();
    expect(warned(one, from('first'))).toBe(0);
    expect(warned(other, from('second'))).toBe(2);
  });

  it('after one has left', () => {
    const [one, other] = twoHubs();
    one.note('s', 'ann', from('first'));
    one.leave('s', 'ann', from('first'));
    expect(warned(other, from('second'))).toBe(0);
  });

  it('after one has connected anew on its socket', () => {
    const [one, other] = twoHubs();
    const { socket } = from('');
    one.note('s', 'ann', from('first', socket));
    one.note('s', 'ann', from('second', socket));
    expect(warned(other, from('second'))).toBe(0);
  });

  it('after one has restarted', () => {
    const [one, other] = twoHubs();
    const socket = { destroyed: false, readableEnded: false };
    one.note('s', 'ann', from('first', socket));
    socket.destroyed = true;
    one.note('s', 'ann', from('second'));
    expect(warned(other, from('second'))).toBe(0);
  });

  it('of more programs than there can be, and remember no more of them', () => {
    const [one] = twoHubs();
    for (let times = 0; times < 1_000; times++) {
      one.applyRemote('s', 'ann', { id: `p${times}`, likeness: 'test', startedAt: times, isConnected: true });
    }
    expect(one.countOf('s', 'ann')).toBe(200);
  });
});
