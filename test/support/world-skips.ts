// What is not shown in a world, and why: the one list of it. A row without a title leaves the whole file out.
import type { World } from './world.js';

interface Skip {
  file: string;
  /** Part of the test's name, its describe blocks included. */
  title?: string;
  worlds: readonly World[];
  reason: string;
}

const onDatabase: readonly World[] = ['postgres', 'three-hubs'];
const noStore = 'nothing of it reaches a store';
const inside = 'is about the inside of the embedded store';
const folder = 'a hub on a database has no data folder';

const ownNumbers = 'numbers and logs are each hub’s own';
const ownPrograms = 'each hub counts the programs it sees, and hears of others by hints: agents.test.ts shows that';
const anyHub = 'any hub answers it from what the call and the store say: hubs share nothing for it';
const bridgeTimer = 'the time is the bridge’s own, whatever its hub keeps its data in';

const operations = 'test/story/operations.test.ts';
const settings = 'test/story/settings.test.ts';
const dataFolder = 'test/story/data-folder.test.ts';
const stopping = 'test/story/stopping.test.ts';
const hubLife = 'test/bridge/hub-life.test.ts';

const handedWaits = 'test/store-contract/handed-waits.test.ts';
const byHint = 'on a database these waits are left to hints';

const skips: readonly Skip[] = [
  { file: 'test/store-contract/clock-jumps.test.ts', worlds: onDatabase, reason: inside },
  { file: 'test/story/ttl-clock.test.ts', worlds: onDatabase, reason: 'there a ttl ends by the database’s clock' },
  {
    file: 'test/story/handed-waits.test.ts',
    title: 'the sender is told',
    worlds: ['three-hubs'],
    reason: 'waits at several hubs are woken by hints, and any of them may be first',
  },
  { file: handedWaits, title: 'is passed over for what it does not take', worlds: onDatabase, reason: byHint },
  { file: handedWaits, title: 'takes an interrupt', worlds: onDatabase, reason: byHint },
  { file: handedWaits, title: 'goes to a second wait if the first', worlds: onDatabase, reason: byHint },
  { file: 'test/store-contract/batch.test.ts', worlds: onDatabase, reason: inside },
  { file: 'test/store-contract/deferred-inserts.test.ts', worlds: onDatabase, reason: inside },
  { file: 'test/store-contract/filed-plans.test.ts', worlds: onDatabase, reason: inside },
  { file: 'test/store-contract/handed-batch.test.ts', worlds: onDatabase, reason: inside },
  { file: 'test/store-contract/log-length.test.ts', worlds: onDatabase, reason: inside },
  { file: 'test/store-contract/long-reads.test.ts', worlds: onDatabase, reason: inside },
  { file: 'test/story/hostile-content.test.ts', worlds: onDatabase, reason: noStore },
  { file: 'test/access/caps.test.ts', worlds: onDatabase, reason: noStore },
  { file: 'test/access/rates.test.ts', worlds: onDatabase, reason: noStore },
  { file: settings, worlds: onDatabase, reason: 'settings are read before any store is opened' },
  { file: dataFolder, worlds: onDatabase, reason: folder },

  { file: stopping, title: 'by coterie stop', worlds: onDatabase, reason: folder },
  { file: stopping, title: 'after kill -9, coterie stop', worlds: onDatabase, reason: folder },
  { file: stopping, title: 'the ready line', worlds: onDatabase, reason: 'starts the hub by itself, on a folder' },
  { file: stopping, title: 'by SIG', worlds: ['three-hubs'], reason: 'signals one process; the others serve on' },
  { file: hubLife, title: 'a bridge without a hub', worlds: onDatabase, reason: folder },
  { file: hubLife, title: 'a hub that goes away', worlds: onDatabase, reason: folder },
  { file: hubLife, title: 'refuses ["', worlds: onDatabase, reason: 'arguments are read before a hub is looked for' },
  { file: 'test/bridge/two-folders.test.ts', worlds: onDatabase, reason: folder },
  { file: 'test/bridge/progress.test.ts', worlds: onDatabase, reason: bridgeTimer },
  {
    file: 'test/bridge/critical.test.ts',
    title: 'tells a client that gave a token',
    worlds: onDatabase,
    reason: bridgeTimer,
  },

  { file: 'test/access/cross-session.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/access/fuzz.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/story/bad-fields.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/story/bad-requests.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/story/budget.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/story/budget-lists.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/story/content-blocks.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/story/format.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/story/format-attachments.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/story/caps.test.ts', worlds: ['three-hubs'], reason: 'what a caller holds is each hub’s own limit' },
  { file: 'test/story/limits.test.ts', worlds: ['three-hubs'], reason: anyHub },
  { file: 'test/story/message-types.test.ts', worlds: ['three-hubs'], reason: anyHub },
  {
    file: 'test/story/reach.test.ts',
    title: 'that no member has are named',
    worlds: ['three-hubs'],
    reason: 'a hub names the agents outside a thread from its own memory',
  },
  { file: 'test/story/shared-name.test.ts', worlds: ['three-hubs'], reason: ownPrograms },
  { file: 'test/story/shared-name-behind-proxy.test.ts', worlds: ['three-hubs'], reason: ownPrograms },
  { file: 'test/story/thinking.test.ts', worlds: ['three-hubs'], reason: anyHub },

  { file: operations, title: 'counts ', worlds: ['three-hubs'], reason: ownNumbers },
  { file: operations, title: 'the log', worlds: ['three-hubs'], reason: ownNumbers },
  {
    file: 'test/story/critical-hub-limits.test.ts',
    title: 'a hub without a place for another wait',
    worlds: ['three-hubs'],
    reason: 'how many may wait is each hub’s own limit',
  },
  {
    file: 'test/story/cancellations.test.ts',
    title: 'is never given for a call whose cancellation came first',
    worlds: ['three-hubs'],
    reason: 'between hubs a cancellation is a hint, and the call may overtake it',
  },
  {
    file: 'test/story/reach.test.ts',
    title: ', waiting for ',
    worlds: ['three-hubs'],
    reason: 'hubs do not know the filters of each other’s waits',
  },
  {
    file: 'test/story/waits.test.ts',
    title: 'are served first come, first served',
    worlds: ['three-hubs'],
    reason: 'waits of one agent at different hubs have no order',
  },
];

export function reasonToSkip(world: World, file: string, name: string): string | undefined {
  return skips.find((skip) => isMeant(skip, world, file) && name.includes(skip.title ?? ''))?.reason;
}

export function filesToSkip(world: World): string[] {
  return skips.filter((skip) => skip.title === undefined && skip.worlds.includes(world)).map(({ file }) => file);
}

function isMeant(skip: Skip, world: World, file: string): boolean {
  return skip.file === file && skip.worlds.includes(world);
}
