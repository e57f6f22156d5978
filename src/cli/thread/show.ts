// coterie thread ID: one conversation, in order. Reading it changes no inbox.
import type { OutputOf } from '../../contract/operation.js';
import { operations } from '../../contract/operations/index.js';
import { flagsFromContract } from '../arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { messageLine, whoColumns } from '../show/message-text.js';
import { paint } from '../show/paint.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { memberText } from '../threads.js';
import { threadIdOf } from './thread-id.js';

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

export const description: Description = {
  usage: 'ID [options]',
  about: ['Prints a thread: who is in it, and its last messages. Changes no inbox.'],
  flags,
  examples: [
    { line: 'coterie thread t463814920757', does: 'the last 50 messages' },
    { line: 'coterie thread t463814920757 --after ma17k3', does: 'messages after one of them' },
    { line: 'coterie thread t463814920757 --json | jq -r ".messages[].sender"', does: 'for a program' },
  ],
};

export async function showThread(argv: readonly string[]): Promise<number> {
  const { own, fields, positionals } = readArgs(argv, { command: 'thread', flags, positionals: ['id'] });
  const threadId = threadIdOf('thread', positionals[0], fields);
  const found = await connect(readHubChoice(own)).call(operations.getThread, { ...fields, threadId });
  await (own.has('json') ? printJson(found) : printLines(threadText(found, fields['after'] !== undefined)));
  return 0;
}

type Found = OutputOf<typeof operations.getThread>;

/** Title, id and status; then the members. */
export function threadHeading(
  found: Pick<Found, 'threadId' | 'title' | 'status' | 'creator' | 'participants'>,
): string[] {
  const { threadId, title, status, creator, participants } = found;
  return [
    `${paint('bold', oneLine(title))}  ${paint('dim', oneLine(threadId))}  ${paint(status === 'open' ? 'green' : 'dim', status)}`,
    `${memberText(participants)}; created by ${oneLine(creator)}`,
  ];
}

function threadText(found: Found, isForward: boolean): string[] {
  const { threadId, status, creator, summary, messages, hasMore } = found;
  const id = oneLine(threadId);
  const heading = [
    ...threadHeading(found),
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
