// coterie ask: a question to a person, and with --wait the answer. A question outlives the command that asked it.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOutcomeOf } from '../../client/unreachable.js';
import type { OutputOf } from '../../contract/operation.js';
import { operations } from '../../contract/operations/index.js';
import { optionWithoutText } from '../../contract/signal/option-without-text.js';
import { durationForm, readMs, readSeconds, type Flag } from '../arguments/flag.js';
import { flagsFromContract } from '../arguments/flags-from-contract.js';
import { hubFlags, readHubChoice, type HubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { readText } from '../arguments/read-text.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { exitCodes, optionExitCode } from '../show/exit-code.js';
import { paintError } from '../show/paint.js';
import { printJson, printLines, printNotice } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { awaitAnswer, type Answer, type AnswerWait } from './await-answer.js';
import { printAnswer, sameFlags, stillPending } from './print-answer.js';
import { callSealed, openedAnswer } from './sealed-call.js';

const waitFlag: Flag = {
  name: 'wait',
  help: 'wait for the answer; --wait 10m: at most so long',
  allowed: `nothing, or ${durationForm}`,
  read: (value) => (value === 'true' ? Infinity : readMs(value)),
};
const resumeFlag: Flag = { name: 'resume', value: 'ID', help: 'wait for the answer to a question asked before' };

const flags = [
  ...flagsFromContract(
    operations.askQuestion,
    [
      {
        name: 'option',
        field: 'options',
        value: 'TEXT',
        help: 'an answer to choose; repeat it, up to 5',
        // Not split at commas: they are part of the text.
        read: (value) => [value],
      },
      { name: 'context', field: 'context', value: 'TEXT', help: 'what to know before answering; markdown' },
      { name: 'to', field: 'to', help: 'people; everyone of the session without it' },
      { name: 'priority', field: 'priority', help: 'high: pushed at once (normal)' },
      {
        name: 'ttl',
        field: 'ttl',
        value: 'TIME',
        help: 'expires then; 0 for never (7d)',
        allowed: durationForm,
        read: readSeconds,
      },
      { name: 'default', field: 'defaultAnswer', value: 'TEXT', help: 'what to answer if it expires' },
      { name: 'thread', field: 'threadId', value: 'ID', help: 'the thread it belongs to' },
      { name: 'reply-to', field: 'inReplyTo', value: 'ID', help: 'the question it follows up' },
      { name: 'project', field: 'projectId', value: 'NAME', help: 'shown beside it' },
      { name: 'key', field: 'idempotencyKey', value: 'TEXT', help: 'idempotency key: repeats are asked once' },
      { name: 'no-encrypt', field: 'encrypt', help: 'readable for the hub', read: readOff, allowed: 'no value' },
    ],
    ['question'],
  ).map((flag) => (flag.name === 'option' ? { ...flag, isList: true } : flag)),
  waitFlag,
  resumeFlag,
  ...hubFlags,
];

function readOff(value: string): boolean | undefined {
  return value === 'true' ? false : undefined;
}

const description: Description = {
  usage: '[options] [--wait [TIME]] QUESTION',
  about: [
    'Asks a person, on their phone or in the app, and prints the question’s id; with',
    `--wait the answer. Exit codes then: option n ${exitCodes.freeText} + n, free text ${exitCodes.freeText}, declined ${exitCodes.declined},`,
    `expired ${exitCodes.expired}, cancelled ${exitCodes.cancelled}, no answer in TIME ${exitCodes.timedOut}.`,
  ],
  flags,
  examples: [
    {
      line: 'coterie ask --as ci "Deploy?" --option Yes --option No --wait',
      does: `exit code ${optionExitCode(1)} is Yes`,
    },
    { line: 'coterie ask --as ci "Which host?" --to ada --ttl 1h', does: 'prints the id; free text' },
    { line: 'coterie ask --as ci --resume q-7f3k2m9x --wait 10m', does: 'goes on waiting' },
  ],
};

export const ask: Command = {
  describe: () => description,
  async run(argv) {
    const given = readArgs(joinWait(argv), { command: 'ask', flags, positionals: ['question'] });
    const choice = readHubChoice(given.own);
    const isJson = given.own.has('json');
    const waitMs = given.own.has('wait') ? Number(waitFlag.read?.(given.own.get('wait') ?? '')) : undefined;
    const resumed = given.own.get('resume');
    if (resumed !== undefined) {
      const [extra] = [...Object.keys(given.fields), ...given.positionals];
      if (extra !== undefined)
        throw usage('--resume asks nothing new.', 'Write: coterie ask --resume ID [--wait TIME]');
      return waitAndPrint(choice, { questionId: resumed, waitMs: waitMs ?? Infinity, hadHub: false }, isJson);
    }
    const fields = { ...given.fields, question: await readText(given, wantedText) };
    const asked = await askSafely(choice, fields, waitMs ?? 0);
    for (const warning of asked.warnings ?? []) printNotice(paintError('yellow', `Note: ${oneLine(warning)}`));
    if (waitMs === undefined) {
      if (isJson) await printJson(asked);
      else await printId(asked, choice);
      return exitCodes.done;
    }
    const notice = `${oneLine(asked.message)} (${asked.questionId})`;
    const { options } = operations.askQuestion.input.parse(fields);
    return waitAndPrint(choice, { questionId: asked.questionId, waitMs, hadHub: true, options, notice }, isJson);
  },
};

/** The id alone on stdout, for a script; what a person wants to know is on stderr. */
async function printId({ questionId, message }: Asked, choice: HubChoice): Promise<void> {
  await printLines([questionId]);
  printNotice(`${oneLine(message)}\nWait for the answer: coterie ask --resume ${questionId}${sameFlags(choice)}`);
}

/** `--wait 10m` as one argument: the time may be left out. */
function joinWait(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.flatMap((argument, index) => {
    const isFlag = end === -1 || index < end;
    const [before, after] = [argv[index - 1], argv[index + 1]];
    if (isFlag && before === '--wait' && readSeconds(argument) !== undefined) return [];
    if (isFlag && argument === '--wait' && readSeconds(after ?? '') !== undefined) return [`--wait=${after}`];
    return [argument];
  });
}

const wantedText = {
  command: 'ask',
  field: 'question',
  what: 'question',
  example: 'coterie ask --as ci "Deploy?" --option Yes --option No',
};

type Asked = OutputOf<typeof operations.askQuestion>;

const retryMs = 250;

/** Asks once, also when the hub restarts in the middle: the idempotency key makes a repetition harmless. */
async function askSafely(choice: HubChoice, fields: Record<string, unknown>, waitMs: number): Promise<Asked> {
  const endsAt = performance.now() + waitMs;
  const keyed = { idempotency_key: randomUUID(), ...fields };
  let wasSent = false;
  for (;;) {
    try {
      return await callSealed(choice, operations.askQuestion, keyed);
    } catch (error) {
      const lost = lostOutcomeOf(error);
      wasSent ||= lost === 'unknown';
      if (lost === undefined || !wasSent || performance.now() >= endsAt) throw error;
      await sleep(retryMs);
    }
  }
}

interface OptionsWait extends AnswerWait {
  /** Known to who asked; the hub may know them by number alone. */
  options?: readonly string[];
  /** Printed once Ctrl-C is handled: who reads it may press it at once. */
  notice?: string;
}

/** Ctrl-C leaves the question pending. */
async function waitAndPrint(
  choice: HubChoice,
  { options, notice, ...wait }: OptionsWait,
  isJson: boolean,
): Promise<number> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  try {
    if (notice !== undefined) printNotice(notice);
    const answer = await awaitAnswer(choice, { ...wait, signal: interruption.signal });
    return await printAnswer(withOptionText(await openedAnswer(choice, answer), options), {
      isJson,
      waitMs: wait.waitMs,
      choice,
    });
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    printNotice(stillPending(wait.questionId, choice));
    return exitCodes.interrupted;
  } finally {
    process.off('SIGINT', interrupt);
  }
}

function withOptionText(answer: Answer, options: readonly string[] = []): Answer {
  const { option, response } = answer;
  const isByNumber = option !== undefined && response === optionWithoutText(option);
  return isByNumber ? { ...answer, response: options[option - 1] ?? response } : answer;
}
