// coterie dead-letters: lists undelivered messages; `replay` delivers one again, `discard` removes it from the list.
import type { DeadLetterView } from '../contract/dead-letter.js';
import type { OutputOf } from '../contract/operation.js';
import { operations } from '../contract/operations/index.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import { didYouMean, usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { connect, type ConnectedHub } from './hub/connect.js';
import { contentText } from './show/message-text.js';
import { tableLines, type Column } from './show/print-table.js';
import { printJson, printLines } from './show/print.js';
import { oneLine } from './show/printable.js';
import { shortTime } from './show/short-time.js';
import { truncateTo } from './show/text-width.js';

const flags = [
  ...flagsFromContract(operations.getDeadLetters, [{ name: 'limit', field: 'limit', help: 'maximum number (20)' }]),
  ...hubFlags,
];

const actions = ['replay', 'discard'] as const;

const description: Description = {
  usage: '[replay ID | discard ID] [options]',
  about: [
    'Lists messages that could not be delivered, newest first. `replay` makes one',
    'pending again for its recipient, `discard` removes it from the list.',
  ],
  flags,
  examples: [
    { line: 'coterie dead-letters', does: 'the last 20, and why' },
    { line: 'coterie dead-letters replay d17', does: 'once its recipient is registered' },
    { line: 'coterie dead-letters discard d17', does: 'its receipts stay as they are' },
  ],
  choices: actions,
};

export const deadLetters: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, {
      command: 'dead-letters',
      flags,
      positionals: ['action', 'id'],
    });
    const [given, id] = positionals;
    const action = given === undefined ? undefined : readAction(given);
    if (action !== undefined && id === undefined)
      throw usage(`${action} needs the id of a dead letter.`, 'See them with: coterie dead-letters');
    const [extra] = action === undefined ? [] : Object.keys(fields);
    if (extra !== undefined)
      throw usage(`--${extra} is for the list only.`, `Write: coterie dead-letters ${action} ID`);
    const hub = connect(readHubChoice(own));
    const [answer, lines] = action === undefined ? await list(hub, fields) : await settle(hub, action, id ?? '');
    await (own.has('json') ? printJson(answer) : printLines(lines));
    return 0;
  },
};

function readAction(given: string): (typeof actions)[number] {
  const action = actions.find((known) => known === given);
  if (action !== undefined) return action;
  throw usage(
    `'${given}' is not an action for dead letters.`,
    `${didYouMean(given, actions, (name) => name)}Allowed: replay ID, discard ID, or nothing for the list.`,
  );
}

async function settle(hub: ConnectedHub, action: 'replay' | 'discard', id: string): Promise<[unknown, string[]]> {
  if (action === 'discard') {
    const answer = await hub.call(operations.discardDeadLetter, { id });
    return [answer, [`Discarded ${oneLine(id)} (${oneLine(answer.messageId)} to ${oneLine(answer.recipient)})`]];
  }
  const answer = await hub.call(operations.replayDeadLetter, { id });
  return [
    answer,
    [`Replayed ${oneLine(id)}: ${oneLine(answer.messageId)} is pending for ${oneLine(answer.recipient)}`],
  ];
}

async function list(hub: ConnectedHub, fields: Readonly<Record<string, unknown>>): Promise<[unknown, string[]]> {
  const answer = await hub.call(operations.getDeadLetters, fields);
  return [answer, letterLines(answer)];
}

/** Enough to recognize it; `--json` has the whole text. */
const textColumnsMax = 120;

const columns: readonly (Column & { cell: (letter: DeadLetterView) => string })[] = [
  { title: 'ID', cell: ({ id }) => oneLine(id) },
  { title: 'ENDED', cell: ({ at }) => shortTime(at) },
  { title: 'REASON', cell: ({ reason }) => reason, style: () => 'yellow' },
  { title: 'MESSAGE', cell: ({ messageId }) => oneLine(messageId) },
  { title: 'FROM', cell: ({ message }) => oneLine(message.sender) },
  { title: 'TO', cell: ({ recipient }) => oneLine(recipient) },
  {
    title: 'TEXT',
    mayShrink: true,
    cell: ({ message }) => truncateTo(oneLine(contentText(message.content)), textColumnsMax),
  },
];

function letterLines({ deadLetters: letters, cursor }: OutputOf<typeof operations.getDeadLetters>): string[] {
  if (letters.length === 0) return ['No dead letters.'];
  const rows = letters.map((letter) => columns.map(({ cell }) => cell(letter)));
  const more = cursor === null ? [] : [`More: coterie dead-letters --cursor ${cursor}`];
  return [...tableLines(columns, rows), ...more];
}
