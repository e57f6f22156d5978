// coterie keys create, list, revoke and rotate.
import { keyIdIn, keyText, type KeyView } from '../../contract/key.js';
import type { Flag } from '../arguments/flag.js';
import { jsonFlag } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { tableLines, type Column } from '../show/print-table.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { ago, shortTime } from '../show/short-time.js';
import { inOffice, officeFlags } from './key-office.js';
import { agentFlag, capabilitiesFlag, newKeyFlags, printKey, readSpan, wantedKey } from './make-key.js';

const createFlags: readonly Flag[] = [
  agentFlag,
  { name: 'observer', help: 'reads threads that are not private; has no name' },
  capabilitiesFlag,
  ...newKeyFlags,
  ...officeFlags,
];

export const createKey: Command = {
  describe: () => ({
    usage: 'create --agent NAME [options]',
    about: [
      'Makes a key and prints it alone on stdout; it is not shown again. The first key',
      'ends open mode. Run it on the hub’s machine, also beside a running hub.',
    ],
    flags: createFlags,
    examples: [
      { line: 'coterie keys create --agent builder', does: 'send, read and signal as builder' },
      { line: 'coterie keys create --agent ops --admin --expires 30d > ops.key', does: 'everything, for a month' },
      { line: 'coterie keys create --observer --label dashboard', does: 'reads threads, changes nothing' },
    ],
  }),
  async run(argv) {
    const { own } = readArgs(argv, {
      command: 'keys create',
      flags: createFlags,
      elsewhere: { as: 'The key is for the --agent you name.' },
    });
    if (own.has('agent') === own.has('observer')) {
      throw usage(
        own.has('agent') ? 'An observer has no name.' : 'keys create needs --agent NAME, or --observer.',
        'Write: coterie keys create --agent NAME, or: coterie keys create --observer',
      );
    }
    await printKey(await inOffice(own, (office) => office.create(wantedKey(own)), { mayCreate: true }));
    return 0;
  },
};

const listFlags: readonly Flag[] = [...officeFlags, jsonFlag];

export const listDescription: Description = {
  usage: 'list [options]',
  about: ['Lists keys, newest first: whose they are, what they may do, when they were last', 'used. Never a secret.'],
  flags: listFlags,
  examples: [
    { line: 'coterie keys list', does: 'of every session' },
    { line: 'coterie keys list --session team-b --json | jq .keys', does: 'of one, for a program' },
  ],
};

export const listKeys: Command = {
  describe: () => listDescription,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'keys list', flags: listFlags });
    const { keys, place } = await inOffice(own, async (office) => ({ keys: await office.list(), place: office.place }));
    await (own.has('json') ? printJson({ keys }) : printLines(linesOf(keys, place)));
    return 0;
  },
};

const columns: readonly Column[] = [
  { title: 'ID' },
  { title: 'SESSION', mayShrink: true },
  { title: 'AGENT', mayShrink: true },
  { title: 'MAY' },
  { title: 'CREATED' },
  { title: 'EXPIRES' },
  { title: 'USED' },
  { title: 'STATE', style: (cell) => (cell === 'active' ? 'green' : 'dim') },
  { title: 'LABEL', mayShrink: true },
];

function linesOf(keys: readonly KeyView[], place: string): string[] {
  if (keys.length === 0) {
    return [`No keys in ${oneLine(place)}. The first one ends open mode: coterie keys create --agent NAME`];
  }
  return tableLines(
    columns,
    keys.map((key) =>
      [
        key.id,
        key.sessionId,
        key.agentId ?? '(observer)',
        key.capabilities.join(','),
        shortTime(key.createdAt),
        key.expiresAt === null ? 'never' : shortTime(key.expiresAt),
        key.lastUsedAt === null ? 'never' : `${ago(key.lastUsedAt)} ago`,
        key.state,
        key.label,
      ].map(oneLine),
    ),
  );
}

const revokeFlags: readonly Flag[] = [...officeFlags, jsonFlag];

export const revokeKey: Command = {
  describe: () => ({
    usage: 'revoke ID [options]',
    about: [
      'Ends a key for good. A running hub ends its streams and waits within a second.',
      'Revoking the last key does not bring open mode back.',
    ],
    flags: revokeFlags,
    examples: [{ line: 'coterie keys revoke k7m2p9x4q6ab', does: 'see ids with: coterie keys list' }],
  }),
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'keys revoke', flags: revokeFlags, positionals: ['id'] });
    const id = keyIdOf('revoke', positionals[0]);
    const key = await inOffice(own, (office) => office.revoke(id));
    await (own.has('json') ? printJson({ key }) : printLines([`Revoked ${oneLine(keyText(key))}.`]));
    return 0;
  },
};

const overlapDefault = '1h';

const rotateFlags: readonly Flag[] = [
  {
    name: 'overlap',
    value: 'TIME',
    help: `how long both keys work (${overlapDefault})`,
    allowed: 'a time like 1h, 30m or 0s, at most 30d',
    read: readOverlap,
  },
  ...officeFlags,
];

function readOverlap(value: string): number | undefined {
  const seconds = readSpan(value);
  return seconds !== undefined && seconds <= 30 * 86_400 ? seconds : undefined;
}

export const rotateKey: Command = {
  describe: () => ({
    usage: 'rotate ID [options]',
    about: [
      'Makes a key with the same rights and prints it alone on stdout. The old one',
      'works for a time, then it expires.',
    ],
    flags: rotateFlags,
    examples: [
      { line: 'coterie keys rotate k7m2p9x4q6ab > builder.key', does: 'both work for an hour' },
      { line: 'coterie keys rotate k7m2p9x4q6ab --overlap 1d', does: 'both work for a day' },
    ],
  }),
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'keys rotate', flags: rotateFlags, positionals: ['id'] });
    const id = keyIdOf('rotate', positionals[0]);
    const overlap = readOverlap(own.get('overlap') ?? overlapDefault) ?? 0;
    const made = await inOffice(own, (office) => office.rotate(id, overlap));
    await printKey(made, [`The old key ${made.replaced.id} works until ${made.replaced.expiresAt}.`]);
    return 0;
  },
};

/** A whole key is understood, and goes no further. */
function keyIdOf(verb: string, given: string | undefined): string {
  if (given === undefined) throw usage(`keys ${verb} needs the id of a key.`, 'See ids with: coterie keys list');
  const id = keyIdIn(given);
  if (/^[a-z0-9]{12}$/.test(id)) return id;
  throw usage(`That is not the id of a key.`, 'An id has 12 letters and digits; see them with: coterie keys list');
}
