// coterie outbox: sent messages, newest first, and the state of every copy.
import type { OutputOf } from '../contract/operation.js';
import { operations } from '../contract/operations/index.js';
import type { ReceiptView } from '../contract/receipt.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { connect } from './hub/connect.js';
import { messageBlock } from './show/message-text.js';
import { paint } from './show/paint.js';
import { printJson, printLines } from './show/print.js';
import { oneLine } from './show/printable.js';
import { shortTime } from './show/short-time.js';

const flags = [
  ...flagsFromContract(operations.getSentMessages, [
    { name: 'status', field: 'status', help: 'only with a copy in this state' },
    { name: 'to', field: 'target', value: 'NAME', help: 'only to this agent or group' },
    { name: 'thread', field: 'threadId', value: 'ID', help: 'only in this thread' },
    { name: 'of', field: 'source', value: 'NAME', help: 'another agent’s outbox; for admins' },
    { name: 'limit', field: 'limit', help: 'maximum number (20)' },
  ]),
  ...hubFlags,
];

const description: Description = {
  usage: '[options]',
  about: ['Prints what you sent, newest first, and the state of every copy.'],
  flags,
  examples: [
    { line: 'coterie outbox --as ann', does: 'the last 20' },
    { line: 'coterie outbox --as ann --status pending --to ben', does: 'what ben has not read' },
    { line: 'coterie outbox --of ben --json', does: 'another agent’s, for a program' },
  ],
};

export const outbox: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields } = readArgs(argv, { command: 'outbox', flags });
    const sent = await connect(readHubChoice(own)).call(operations.getSentMessages, fields);
    await (own.has('json') ? printJson(sent) : printLines(sentLines(sent)));
    return 0;
  },
};

function sentLines({ messages, hasMore, cursor }: OutputOf<typeof operations.getSentMessages>): string[] {
  const none = hasMore ? 'Nothing among the newest.' : 'Nothing sent.';
  const blocks = messages.map(({ deliveries, ...message }) => [
    ...messageBlock(message),
    `  ${paint('dim', copiesText(deliveries))}`,
  ]);
  return [
    ...(blocks.length === 0 ? [none] : blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]))),
    ...(hasMore ? ['', `More: the same with --cursor ${cursor}`] : []),
  ];
}

const copiesShown = 8;

function copiesText(deliveries: readonly ReceiptView[]): string {
  if (deliveries.length === 0) return 'no recipients';
  const shown = deliveries.slice(0, copiesShown).map(({ recipient, state, at, reason }) => {
    const when = state === 'pending' ? '' : ` ${shortTime(at)}`;
    return `${oneLine(recipient)} ${reason === undefined ? state : `${state} (${reason})`}${when}`;
  });
  const more = deliveries.length > copiesShown ? ` and ${deliveries.length - copiesShown} more` : '';
  return `${shown.join(', ')}${more}`;
}
