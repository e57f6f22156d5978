// coterie keys: who may talk to the hub.
import { splitVerb } from '../arguments/split-verb.js';
import { didYouMean, usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { createKey, listDescription, listKeys, revokeKey, rotateKey } from './verbs.js';

const verbs: ReadonlyMap<string, Command> = new Map([
  ['create', createKey],
  ['list', listKeys],
  ['revoke', revokeKey],
  ['rotate', rotateKey],
]);

const description: Description = {
  usage: '[create | list | revoke | rotate] [options]',
  about: [
    'Keys say who calls: each is for one agent of one session. Without keys everyone',
    'on this machine may call as anyone (open mode); the first key ends that.',
    'Works on the store itself, beside a running hub too; with --url through the hub.',
  ],
  flags: listDescription.flags,
  list: {
    title: 'Verbs',
    rows: [
      ['create --agent NAME', 'makes a key, printed once'],
      ['list', 'whose keys there are, and when they were used'],
      ['revoke ID', 'ends one at once'],
      ['rotate ID', 'a new one in its place; both work for a time'],
    ],
  },
  examples: [
    { line: 'coterie keys create --agent builder', does: 'coterie help keys create has its options' },
    { line: 'coterie keys list', does: 'the same as coterie keys' },
    { line: 'coterie keys revoke k7m2p9x4q6ab', does: 'within a second, on every hub' },
  ],
  verbs: [...verbs.keys()],
};

export const keys: Command = {
  describe: (argv) => splitVerb(argv, verbs).verb?.describe([]) ?? description,
  run(argv) {
    const { word, verb, rest } = splitVerb(argv, verbs);
    if (verb !== undefined) return verb.run(rest);
    if (word === '') return listKeys.run(argv);
    throw usage(
      `'${word}' is not a verb of coterie keys.`,
      `${didYouMean(word, verbs.keys(), (near) => `coterie keys ${near}`)}Verbs: ${[...verbs.keys()].join(', ')}.`,
    );
  },
};
