// coterie channels: how pushes reach a person outside the app.
import { splitVerb } from '../arguments/split-verb.js';
import { didYouMean, usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { addChannel, listChannels, listDescription, removeChannel, testChannel } from './verbs.js';

const verbs: ReadonlyMap<string, Command> = new Map([
  ['list', listChannels],
  ['add', addChannel],
  ['remove', removeChannel],
  ['test', testChannel],
]);

const description: Description = {
  usage: '[list | add | remove | test] [options]',
  about: [
    'How questions and alerts reach you, a person, outside the app. A device adds',
    'itself when you turn notifications on in the app.',
  ],
  flags: listDescription.flags,
  list: {
    title: 'Verbs',
    rows: [
      ['list', 'your channels, and what is wrong with them'],
      ['add ntfy TOPIC', 'a topic of ntfy.sh, or of your own server'],
      ['add webhook URL', 'a URL that gets signed requests'],
      ['remove ID', 'ends one'],
      ['test ID', 'sends a test now'],
    ],
  },
  examples: [
    { line: 'coterie channels', does: 'the same as coterie channels list' },
    { line: 'coterie channels add ntfy kim-7f3c9a41e0', does: 'the topic is the secret: choose a long one' },
  ],
  verbs: [...verbs.keys()],
};

export const channels: Command = {
  describe: (argv) => splitVerb(argv, verbs).verb?.describe([]) ?? description,
  run(argv) {
    const { word, verb, rest } = splitVerb(argv, verbs);
    if (verb !== undefined) return verb.run(rest);
    if (word === '') return listChannels.run(argv);
    throw usage(
      `'${word}' is not a verb of coterie channels.`,
      `${didYouMean(word, verbs.keys(), (near) => `coterie channels ${near}`)}Verbs: ${[...verbs.keys()].join(', ')}.`,
    );
  },
};
