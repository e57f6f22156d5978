// coterie answer: a person answers a question, or declines to.
import { operations } from '../../contract/operations/index.js';
import { switchFor, type Flag } from '../arguments/flag.js';
import { flagsFromContract } from '../arguments/flags-from-contract.js';
import { hubFlags, readHubChoice, type HubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { asPerson } from './as-person.js';

const declineFlag: Flag = { name: 'decline', help: 'you will not answer it', ...switchFor(true) };
const reasonFlag: Flag = { name: 'reason', value: 'TEXT', help: 'why, with --decline' };

const flags = [
  ...flagsFromContract(
    operations.answerQuestion,
    [
      { name: 'option', field: 'option', value: 'N|TEXT', help: 'one of the options, by number or text' },
      { name: 'text', field: 'response', value: 'TEXT', help: 'free text; also as the second argument' },
    ],
    ['questionId', 'sealed'],
  ),
  declineFlag,
  reasonFlag,
  ...hubFlags,
];

const description: Description = {
  usage: 'ID (--option N | TEXT | --decline) [options]',
  about: [
    'Answers a question that was put to you, by a number, an option or free text. The',
    'first answer counts. People only: the local person where the hub has no keys,',
    'else whose key you give (COTERIE_KEY).',
  ],
  flags,
  examples: [
    { line: 'coterie answer q-7f3k2m9x --option 1', does: 'the first option' },
    { line: 'coterie answer q-7f3k2m9x "Yes, but not before six"', does: 'free text' },
    { line: 'coterie answer q-7f3k2m9x --decline --reason "Ask Ada"', does: 'no answer, and why' },
  ],
};

export const answer: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, { command: 'answer', flags, positionals: ['id', 'text'] });
    const { questionId: named, ...said } = fields;
    const [id, ...words] = named === undefined ? positionals : [named, ...positionals];
    const [text] = words;
    if (id === undefined) throw usage('answer needs the id of a question.', 'See them with: coterie questions');
    if (text !== undefined && said['response'] !== undefined) throw usage('The text was given twice.', 'Give it once.');
    const given = { questionId: id, ...said, ...(text === undefined ? {} : { response: text }) };
    const isDeclined = own.has('decline');
    if (own.has('reason') && !isDeclined) throw usage('--reason is for --decline.', 'Write the answer as free text.');
    const isAnswered = Object.keys(given).length > 1;
    if (isDeclined === isAnswered) {
      throw usage(
        isDeclined ? 'It is answered or declined, not both.' : 'answer needs an answer.',
        'Write --option N, a text, or --decline.',
      );
    }
    const choice = await asPerson(readHubChoice(own));
    const result = await (isDeclined ? decline(choice, id, own.get('reason')) : give(choice, given));
    await (own.has('json') ? printJson(result) : printLines([confirmation(result)]));
    return 0;
  },
};

function decline(choice: HubChoice, questionId: unknown, reason: string | undefined) {
  return connect(choice).call(operations.declineQuestion, { questionId, ...(reason === undefined ? {} : { reason }) });
}

function give(choice: HubChoice, fields: Record<string, unknown>) {
  return connect(choice).call(operations.answerQuestion, fields);
}

function confirmation(result: { questionId: string; status: string; response?: unknown }): string {
  const said = typeof result.response === 'string' ? `: ${oneLine(result.response)}` : '.';
  return `${result.status === 'declined' ? 'Declined' : 'Answered'} ${oneLine(result.questionId)}${said}`;
}
