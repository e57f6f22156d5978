// coterie questions: lists questions to people; `cancel` takes one back.
import type { OutputOf } from '../../contract/operation.js';
import { operations } from '../../contract/operations/index.js';
import { flagsFromContract } from '../arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { splitVerb } from '../arguments/split-verb.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { asPerson } from './as-person.js';
import { questionBlock } from './question-block.js';

const cancelFlags = [
  ...flagsFromContract(
    operations.cancelQuestion,
    [{ name: 'reason', field: 'reason', value: 'TEXT', help: 'shown to the people it was put to' }],
    ['questionId'],
  ),
  ...hubFlags,
];

const cancelQuestion: Command = {
  describe: () => ({
    usage: 'cancel ID [options]',
    about: ['Takes back a question that you asked and no one has answered yet.'],
    flags: cancelFlags,
    examples: [
      { line: 'coterie questions cancel q-7f3k2m9x --as ci', does: 'it disappears from the phones' },
      { line: 'coterie questions cancel q-7f3k2m9x --as ci --reason "Deployed by hand"', does: 'and says why' },
    ],
  }),
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, {
      command: 'questions cancel',
      flags: cancelFlags,
      positionals: ['id'],
    });
    const questionId = positionals[0] ?? fields['questionId'];
    if (questionId === undefined) throw usage('questions cancel needs an id.', 'See them with: coterie questions');
    const cancelled = await connect(readHubChoice(own)).call(operations.cancelQuestion, { ...fields, questionId });
    await (own.has('json') ? printJson(cancelled) : printLines([`Cancelled ${oneLine(cancelled.questionId)}.`]));
    return 0;
  },
};

const verbs: ReadonlyMap<string, Command> = new Map([['cancel', cancelQuestion]]);

const flags = [
  ...flagsFromContract(operations.listQuestions, [
    { name: 'status', field: 'status', help: 'pending, answered, declined, expired or cancelled' },
    { name: 'limit', field: 'limit', help: 'maximum number (50)' },
  ]),
  ...hubFlags,
];

const description: Description = {
  usage: '[cancel ID] [options]',
  about: [
    'Lists questions, newest first: those that you asked, or that were put to you.',
    'Answer with coterie answer; `cancel` takes one back.',
  ],
  flags,
  examples: [
    { line: 'coterie questions --status pending', does: 'what waits for you' },
    { line: 'coterie questions --as ci --json | jq .questions', does: 'what ci asked, for a program' },
    { line: 'coterie questions cancel q-7f3k2m9x --as ci', does: 'takes it back' },
  ],
  verbs: [...verbs.keys()],
};

export const questions: Command = {
  describe: (argv) => splitVerb(argv, verbs).verb?.describe([]) ?? description,
  async run(argv) {
    const { verb, rest } = splitVerb(argv, verbs);
    if (verb !== undefined) return verb.run(rest);
    const { own, fields } = readArgs(argv, { command: 'questions', flags });
    const answer = await connect(await asPerson(readHubChoice(own))).call(operations.listQuestions, fields);
    await (own.has('json') ? printJson(answer) : printLines(listLines(answer, fields['status'])));
    return 0;
  },
};

function listLines(
  { questions: listed, cursor }: OutputOf<typeof operations.listQuestions>,
  status: unknown,
): string[] {
  if (listed.length === 0) {
    const kind = typeof status === 'string' ? `${status} ` : '';
    return [`No ${kind}questions.`, 'Ask one: coterie ask --as NAME "Deploy?" --option Yes --option No'];
  }
  const blocks = listed.flatMap((question, index) => [...(index === 0 ? [] : ['']), ...questionBlock(question)]);
  const isPending = listed.some((question) => question.status === 'pending');
  return [
    ...blocks,
    ...(isPending ? ['', 'Answer: coterie answer ID --option N, or coterie answer ID "text".'] : []),
    ...(cursor === null ? [] : [`More: coterie questions --cursor ${cursor}`]),
  ];
}
