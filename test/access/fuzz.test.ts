// Thousands of calls over all operations and both doors, from the schemas and from junk. `npm run fuzz` makes more of
// them. The same seed makes the same choices; ids that the hub gives out differ.
import { expect, it } from 'vitest';
import { SeededRandom } from '../fault/load/seeded-random.mjs';
import { configFile } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { makeKeysIn } from '../support/keys.js';
import { expectSumRule } from '../support/sum-rule.js';
import { tempFolder } from '../support/temp-folder.js';
import { world } from '../support/world.js';
import { exchange } from './fuzz/exchange.js';
import { Api } from './fuzz/from-schema.js';
import { withoutRates } from './key-states.js';
import { faultIn } from './fuzz/judge.js';
import { fuzzRequest, type Callers } from './fuzz/requests.js';
import { expectSoundStore, sessionsIn } from './fuzz/sound-store.js';

const callsByDefault = world === 'sqlite' ? 1_500 : 400;
const calls = Number(process.env['FUZZ_CALLS'] ?? callsByDefault);
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1e6));
const rounds = 4;
const atOnce = 12;
/** What a hub may hold more after the last round than after the first: caches that are full by then. */
const growthBytesMax = 16 * 1024 * 1024;
const script = new URL('fuzz/watched-hub.mjs', import.meta.url).pathname;

interface Holds {
  heapBytes: number;
  sockets: number;
}

async function holdsOf(hub: HubProcess): Promise<Holds> {
  const reports = () => hub.stderr().match(/^holds .*$/gm) ?? [];
  const before = reports().length;
  hub.child.kill('SIGUSR2');
  return eventually('the hub says what it holds', () => {
    const report = reports()[before];
    return report === undefined ? undefined : (JSON.parse(report.slice('holds '.length)) as Holds);
  });
}

interface Mode {
  callers: Callers;
  /** Parts of keys that no answer and no log may have. */
  secrets: string[];
  ours: Set<string>;
  data: string;
  key?: string;
}

function openMode(): Promise<Mode> {
  return Promise.resolve({ callers: { good: [], bad: [] }, secrets: [], ours: new Set(), data: tempFolder() });
}

async function keyMode(): Promise<Mode> {
  const data = tempFolder();
  const keys = await makeKeysIn(data, {
    ann: { agent: 'ann' },
    ben: { agent: 'ben', capabilities: ['send'] },
    cas: { agent: 'cas', capabilities: ['read'] },
    admin: { agent: 'dan', capabilities: ['send', 'read', 'signal', 'admin'] },
    observer: {},
    elsewhere: { agent: 'ann', session: 'fuzz', capabilities: ['send', 'read', 'signal', 'admin'] },
    expired: { agent: 'ann', expiresAt: Date.now() - 1_000 },
  });
  const { expired, ...good } = keys;
  const texts = Object.values(good).map(({ text }) => text);
  const [first = ''] = texts;
  return {
    data,
    key: keys.admin.text,
    secrets: [...texts, expired.text].map((text) => text.split('_').slice(2).join('_')),
    ours: new Set([...Object.values(keys).map(({ id }) => id), 'default', 'fuzz']),
    callers: {
      good: texts,
      bad: [
        `authorization: Bearer ${expired.text}`,
        `authorization: Bearer ${first.slice(0, -1)}`,
        `authorization: Bearer ${first.slice(0, -3)}AAA`,
        `authorization: Basic ${Buffer.from(first).toString('base64')}`,
        `authorization: ${first}`,
        'authorization: Bearer',
        'authorization: Bearer \u00ff\u00fe',
        'x: y',
      ],
    },
  };
}

const modes: [name: string, modeOf: () => Promise<Mode>][] = [
  ['in open mode', openMode],
  ['with keys', keyMode],
];

it.each(modes)('leaves the hub sound: %s', { timeout: 600_000 }, async (name, modeOf) => {
  const { callers, secrets, ours, data, key } = await modeOf();
  const hub = await startHubProcess({ data, script, args: ['--config', configFile({ limits: withoutRates })] });
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const openapi = await (await fetch(`${hub.url}/v1/openapi.json`, { headers })).json();
  const api = new Api(openapi as Record<string, unknown>);
  const statuses = new Map<number | undefined, number>();
  const faults: string[] = [];
  const one = async (index: number) => {
    const request = fuzzRequest(api, callers, new SeededRandom(seed, name, index));
    const answer = await exchange(hub.url, request);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 200) api.learn(answer.text, (id) => ours.has(id));
    const fault = faultIn(request, answer, secrets);
    if (fault !== undefined) faults.push(`call ${index}: ${fault}: ${request.what}\n${answer.text.slice(0, 600)}`);
  };
  const held: Holds[] = [];
  const each = Math.ceil(calls / 2 / rounds);
  for (let round = 0; round < rounds; round += 1) {
    let next = round * each;
    const work = async () => {
      while (next < (round + 1) * each && faults.length < 20) await one(next++);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const asked = performance.now();
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
    // It hangs nowhere; what a busy machine takes for a call is not the hub's.
    expect(performance.now() - asked).toBeLessThan(10_000);
    held.push(
      await eventually('all sockets are closed', async () => {
        const now = await holdsOf(hub);
        // One of them is the test's own.
        return now.sockets <= 1 ? now : undefined;
      }),
    );
  }
  const figures = {
    seed,
    mode: name,
    calls: each * rounds,
    statuses: Object.fromEntries([...statuses].map(([status = 'none', count]) => [status, count])),
    heapMiB: held.map(({ heapBytes }) => Math.round(heapBytes / 1024 / 102.4) / 10),
  };
  if (process.env['FUZZ_CALLS'] !== undefined) console.log(JSON.stringify(figures));
  expect(faults, JSON.stringify(figures)).toEqual([]);
  expect((held.at(-1)?.heapBytes ?? 0) - (held[0]?.heapBytes ?? 0)).toBeLessThan(growthBytesMax);
  expect(hub.stderr()).not.toMatch(/"(event|msg|message)":"bug"/);
  for (const secret of secrets) expect(hub.stderr().includes(secret)).toBe(false);
  // With keys nobody may read all of it at the hub's doors.
  if (key === undefined) await expectSumRule(hub.url, { sessions: await sessionsIn(data), withinMs: 30_000 });
  expect(await hub.stop()).toBe(0);
  await expectSoundStore(data);
});
