// coterie thread: shows one thread, or creates, joins, leaves, closes it, or replies in it.
import { HubError } from '../contract/errors.js';
import { splitVerb } from './arguments/split-verb.js';
import { didYouMean, usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { closeThread, joinThread, leaveThread } from './thread/change.js';
import { createThread } from './thread/create.js';
import { exportThread } from './thread/export.js';
import { replyInThread } from './thread/reply.js';
import { description as showDescription, showThread } from './thread/show.js';

/** The hub's thread ids are `t` and digits, so no id is a verb. `--thread-id` takes any text as an id. */
const verbs: ReadonlyMap<string, Command> = new Map([
  ['create', createThread],
  ['join', joinThread],
  ['leave', leaveThread],
  ['reply', replyInThread],
  ['close', closeThread],
  ['export', exportThread],
]);

const description: Description = {
  ...showDescription,
  usage: '[create|join|leave|reply|close|export] ID [options]',
  about: [
    'Prints a thread: who is in it, and its last messages. Changes no inbox. A verb',
    'before the id changes the thread instead: coterie help thread create.',
  ],
  list: {
    title: 'Verbs',
    rows: [
      ['create TITLE --with A,B', 'opens a thread'],
      ['join ID, leave ID', 'makes you a member, or ends it'],
      ['reply ID TEXT', 'answers its newest message'],
      ['close ID --summary TEXT', 'closes a thread you created'],
      ['export ID --format markdown', 'writes all of it, for people or models'],
    ],
  },
  examples: [
    ...showDescription.examples,
    { line: 'coterie thread create "Release 1.4" --as ann --with ben', does: 'a new thread' },
    { line: 'coterie thread reply t463814920757 --as ben "Done."', does: 'answers its newest message' },
  ],
  verbs: [...verbs.keys()],
};

export const thread: Command = {
  describe: (argv) => splitVerb(argv, verbs).verb?.describe([]) ?? description,
  run(argv) {
    const { word, verb, rest } = splitVerb(argv, verbs);
    if (verb !== undefined) return verb.run(rest);
    return showThread(argv).catch((error: unknown) => {
      throw error instanceof HubError && error.code === 'USAGE' ? withVerb(error, word) : error;
    });
  },
};

/** `creat X` is read as the id `creat` and a word too many. */
function withVerb({ message, hint }: HubError, word: string): HubError {
  return usage(message, `${didYouMean(word, verbs.keys(), (near) => `coterie thread ${near}`)}${hint}`);
}
