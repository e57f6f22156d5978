// coterie thread: one conversation, in order. Reading it changes no inbox.
import type { OutputOf } from '../contract/operation.js';
import { operations } from '../contract/operations/index.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import { usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { connect } from './hub/connect.js';
import { messageLine, whoColumns } from './show/message-text.js';
import { paint } from './show/paint.js';
import { printJson, printLines } from './show/print.js';
import { oneLine } from './show/printable.js';
import { memberText } from './threads.js';

const flags = [
  ...flagsFromContract(
    operations.getThread,
    [
      { name: 'limit', field: 'limit', help: 'maximum number (50)' },
      { name: 'after', field: 'after', value: 'ID', help: 'only messages after this id or seq' },
      { name: 'before', field: 'before', value: 'ID', help: 'only messages before it' },
    ],
    ['view', 'threadId'],
  ),
  ...hubFlags,
];

const description: Description = {
  usage: 'ID [options]',
  about: ['Prints a thread: who is in it, and its last messages. Changes no inbox.'],
  flags,
  examples: [
    { line: 'coterie thread t-4k2jq8ax', does: 'the last 50 messages' },
    { line: 'coterie thread t-4k2jq8ax --after ma17k3', does: 'messages after one of them' },
    { line: 'coterie thread t-4k2jq8ax --json | jq -r ".messages[].sender"', does: 'for a program' },
  ],
};

export const thread: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, { command: 'thread', flags, positionals: ['id'] });
    const [threadId] = positionals;
    if (threadId === undefined && fields['threadId'] === undefined) {
      throw usage('thread needs the id of a thread.', 'See them with: coterie threads');
    }
    if (threadId !== undefined && fields['threadId'] !== undefined)
      throw usage('The id was given twice.', 'Give it once.');
    const requested = threadId === undefined ? fields : { ...fields, threadId };
    const found = await connect(readHubChoice(own)).call(operations.getThread, requested);
    await (own.has('json') ? printJson(found) : printLines(threadText(found, fields['after'] !== undefined)));
    return 0;
  },
};

type Found = OutputOf<typeof operations.getThread>;

function threadText(found: Found, isForward: boolean): string[] {
  const { threadId, title, status, creator, participants, summary, messages, hasMore } = found;
  const id = oneLine(threadId);
  const heading = [
    `${paint('bold', oneLine(title))}  ${paint('dim', id)}  ${paint(status === 'open' ? 'green' : 'dim', status)}`,
    `${memberText(participants)}; created by ${oneLine(creator)}`,
    ...(summary === undefined || summary === '' ? [] : [`Summary: ${oneLine(summary)}`]),
    '',
  ];
  if (messages.length === 0) {
    return [
      ...heading,
      status === 'open'
        ? `No messages. Send one: coterie send --as ${oneLine(creator)} --thread ${id} "…"`
        : 'No messages.',
    ];
  }
  const more = (flag: string, messageId: string | undefined) => `More: coterie thread ${id} --${flag} ${messageId}`;
  const layout = { columns: whoColumns(messages, 'one'), threads: 'one' as const };
  return [
    ...heading,
    ...(hasMore && !isForward ? [more('before', messages[0]?.id)] : []),
    ...messages.map((message) => messageLine(message, layout)),
    ...(hasMore && isForward ? [more('after', messages.at(-1)?.id)] : []),
  ];
}
