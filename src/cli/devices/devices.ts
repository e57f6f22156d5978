// coterie devices: the paired devices of people.
import { splitVerb } from '../arguments/split-verb.js';
import { didYouMean, usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { listDescription, listDevices, renameDevice, revokeDevice, verifyDevice } from './verbs.js';

const verbs: ReadonlyMap<string, Command> = new Map([
  ['list', listDevices],
  ['revoke', revokeDevice],
  ['verify', verifyDevice],
  ['rename', renameDevice],
]);

const description: Description = {
  usage: '[list | revoke | verify | rename] [options]',
  about: ['The devices on which people answer questions. coterie pair adds one.'],
  flags: listDescription.flags,
  list: {
    title: 'Verbs',
    rows: [
      ['list', 'whose devices there are, and when they were seen'],
      ['revoke ID', 'ends one at once: its sign-in and its pushes'],
      ['verify ID', 'compares its safety number with you'],
      ['rename ID NAME', 'gives it another name'],
    ],
  },
  examples: [
    { line: 'coterie devices', does: 'the same as coterie devices list' },
    { line: 'coterie devices revoke d-k7m2p9x4q6ab', does: 'a lost phone' },
  ],
  verbs: [...verbs.keys()],
};

export const devices: Command = {
  describe: (argv) => splitVerb(argv, verbs).verb?.describe([]) ?? description,
  run(argv) {
    const { word, verb, rest } = splitVerb(argv, verbs);
    if (verb !== undefined) return verb.run(rest);
    if (word === '') return listDevices.run(argv);
    throw usage(
      `'${word}' is not a verb of coterie devices.`,
      `${didYouMean(word, verbs.keys(), (near) => `coterie devices ${near}`)}Verbs: ${[...verbs.keys()].join(', ')}.`,
    );
  },
};
