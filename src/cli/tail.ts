// coterie tail: prints a session's messages as they are committed, across restarts of the hub.
import type { Message } from '../contract/message.js';
import type { Flag } from './arguments/flag.js';
import { readHubChoice, watchFlags } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { followEvents } from './hub/follow-events.js';
import { ThreadTitles } from './hub/thread-titles.js';
import { messageLine, whoColumns } from './show/message-text.js';
import { paintError } from './show/paint.js';
import { print, printJsonLine, printNotice } from './show/print.js';

const flags: readonly Flag[] = [
  {
    name: 'after',
    value: 'SEQ',
    help: 'start after this seq; 0 shows everything',
    allowed: 'a whole number',
    read: (value) => (/^\d{1,15}$/.test(value) ? value : undefined),
  },
  { name: 'thread', value: 'ID', help: 'only this thread' },
  { name: 'from', value: 'NAME', help: 'only from this agent' },
  ...watchFlags,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Follows a session live, until Ctrl-C. Resumes after a restart of the hub. With',
    '--json: one line of JSON per message.',
  ],
  flags,
  examples: [
    { line: 'coterie tail', does: 'new messages' },
    { line: 'coterie tail --after 0 --thread t463814920757', does: 'one thread from its beginning' },
    { line: 'coterie tail --json | jq -r .sender', does: 'for a program' },
  ],
};

/** Wide enough for most names, so that columns rarely shift. */
const whoColumnsMin = 14;

export const tail: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'tail', flags });
    const choice = readHubChoice(own);
    const isJson = own.has('json');
    const notify = (text: string) => (isJson ? undefined : printNotice(paintError('dim', text)));
    let wasLost = false;
    const messages = followEvents({
      choice,
      after: own.get('after'),
      onOpen: (url) =>
        notify(
          wasLost ? `Reconnected to ${url}.` : `Following ${choice.session ?? 'default'} at ${url}. Ctrl-C ends it.`,
        ),
      onLost() {
        wasLost = true;
        notify('Connection to the hub lost. Reconnecting.');
      },
    });
    const titles = new ThreadTitles(choice);
    let columns = whoColumnsMin;
    for await (const message of messages) {
      if (!isWanted(message, own)) continue;
      if (isJson) {
        await printJsonLine(message);
        continue;
      }
      const threads = await titles.of([message]);
      columns = Math.max(columns, whoColumns([message], threads));
      await print(`${messageLine(message, { columns, threads })}\n`);
    }
    return 0;
  },
};

function isWanted({ threadId, sender }: Message, own: ReadonlyMap<string, string>): boolean {
  const thread = own.get('thread');
  const from = own.get('from');
  return (thread === undefined || thread === threadId) && (from === undefined || from === sender);
}
