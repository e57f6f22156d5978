// coterie dead-letters: what was not delivered and why; `replay` delivers one after all, `discard` takes it off the list.
import type { DeadLetterView } from '../contract/dead-letter.js';
import type { OutputOf } from '../contract/operation.js';
import { operations } from '../contract/operations/index.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import { didYouMean, usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { connect, type HubLine } from './hub/connect.js';
import { contentText } from './show/message-text.js';
import { tableLines, type Column } from './show/print-table.js';
import { printJson, printLines } from './show/print.js';
import { oneLine } from './show/printable.js';
import { shortTime } from './show/short-time.js';
import { cutTo } from './show/text-width.js';

const flags = [
  ...flagsFromContract(operations.getDeadLetters, [{ name: 'limit', field: 'limit', help: 'at most so many (20)' }]),
  ...hubFlags,
];

const actions = ['replay', 'discard'] as const;

const description: Description = {
  usage: '[replay ID | discard ID] [options]',
  about: [
    'Lists messages that could not be delivered, newest first. `replay` makes one',
    'pending again for its recipient, `discard` takes it off the list.',
  ],
  flags,
  examples: [
    { line: 'coterie dead-letters', does: 'the last 20, and why' },
    { line: 'coterie dead-letters replay d17', does: 'once its recipient is registered' },
    { line: 'coterie dead-letters discard d17', does: 'its receipts stay as they are' },
  ],
  words: actions,
};

export const deadLetters: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields, words } = readArgs(argv, { command: 'dead-letters', flags, words: ['action', 'id'] });
    const [word, id] = words;
    const action = word === undefined ? undefined : actionCalled(word);
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

function actionCalled(word: string): (typeof actions)[number] {
  const action = actions.find((known) => known === word);
  if (action !== undefined) return action;
  throw usage(
    `'${word}' is nothing that can be done with dead letters.`,
    `${didYouMean(word, actions, (name) => name)}Allowed: replay ID, discard ID, or nothing for the list.`,
  );
}

async function settle(hub: HubLine, action: 'replay' | 'discard', id: string): Promise<[unknown, string[]]> {
  if (action === 'discard') {
    const answer = await hub.ask(operations.discardDeadLetter, { id });
    return [answer, [`Discarded ${oneLine(id)} (${oneLine(answer.messageId)} to ${oneLine(answer.recipient)})`]];
  }
  const answer = await hub.ask(operations.replayDeadLetter, { id });
  return [
    answer,
    [`Replayed ${oneLine(id)}: ${oneLine(answer.messageId)} is pending for ${oneLine(answer.recipient)}`],
  ];
}

async function list(hub: HubLine, fields: Readonly<Record<string, unknown>>): Promise<[unknown, string[]]> {
  const answer = await hub.ask(operations.getDeadLetters, fields);
  return [answer, letterLines(answer)];
}

/** Enough to know it again; `--json` has all of it. */
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
    cell: ({ message }) => cutTo(oneLine(contentText(message.content)), textColumnsMax),
  },
];

function letterLines({ deadLetters: letters, cursor }: OutputOf<typeof operations.getDeadLetters>): string[] {
  if (letters.length === 0) return ['No dead letters.'];
  const rows = letters.map((letter) => columns.map(({ cell }) => cell(letter)));
  const more = cursor === null ? [] : [`More: coterie dead-letters --cursor ${cursor}`];
  return [...tableLines(columns, rows), ...more];
}
