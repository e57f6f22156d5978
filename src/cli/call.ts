// coterie call: any operation, its input from JSON, from flags, or both. Prints the structured result.
import { inputSchemaOf } from '../contract/input/input-schema.js';
import type { Operation } from '../contract/operation.js';
import { operationCalled, operationList } from '../contract/operations/index.js';
import type { Flag } from './arguments/flag.js';
import { flagsFromContract, readJsonObject } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import { isPiped, readStdin } from './arguments/read-stdin.js';
import { usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { connect } from './hub/connect.js';
import { printJson } from './show/print.js';

const jsonInput: Flag = { name: 'json', value: 'JSON', help: 'the input, as the argument; - reads it from stdin' };
const callFlags: readonly Flag[] = [jsonInput, ...hubFlags.filter(({ name }) => name !== 'json')];

const examples = [
  { line: `coterie call create_thread '{"title":"Q4","participants":["ben"]}' --as ann`, does: 'input as JSON' },
  { line: 'coterie call create_thread --as ann --title Q4 --participants ben', does: 'the same with flags' },
  { line: 'echo \'{"messageId":"ma17k3"}\' | coterie call get_receipts', does: 'from a pipe' },
];

/** Accepts `send-message` for `send_message`. */
function operationIn([first]: readonly string[]): Operation | undefined {
  return first === undefined ? undefined : operationCalled(first.replaceAll('-', '_'));
}

function flagsOf(operation: Operation | undefined): readonly Flag[] {
  const own = new Set(callFlags.map(({ name }) => name));
  const fromContract = operation === undefined ? [] : flagsFromContract(operation);
  return [...fromContract.filter(({ name }) => !own.has(name)), ...callFlags];
}

function describe(argv: readonly string[]): Description {
  const operation = operationIn(argv);
  const choices = operationList.map(({ name }) => name);
  if (operation !== undefined) {
    const { required = [] } = inputSchemaOf(operation);
    return {
      usage: `${operation.name} ['{…}' | options]`,
      about: [operation.summary, ...(required.length === 0 ? [] : [`Required: ${required.join(', ')}.`])],
      flags: flagsOf(operation),
      examples: examples.filter(({ line }) => line.includes(operation.name)),
      choices,
    };
  }
  return {
    usage: "OPERATION ['{…}' | options]",
    about: [
      'Calls any operation of the hub and prints its result as JSON. The input is a',
      'JSON object, or flags: coterie help call send_message lists its fields.',
    ],
    flags: callFlags,
    examples,
    list: { title: 'Operations', rows: operationList.map(({ name, summary }) => [name, firstSentence(summary)]) },
    choices,
  };
}

export const call: Command = {
  describe,
  async run(argv) {
    const operation = operationIn(argv);
    const flags = flagsOf(operation);
    const given = readArgs(argv, { command: 'call', flags, positionals: ['operation', 'input'] });
    const [name, argument] = given.positionals;
    if (name === undefined)
      throw usage('call needs an operation.', `Operations: ${operationList.map((known) => known.name).join(', ')}.`);
    const flag = given.own.get('json');
    if (argument !== undefined && flag !== undefined) throw usage('The input was given twice.', 'Give it once.');
    // A newer hub may know more operations; it refuses an unknown one with the nearest name.
    const input = { ...(await readInput(argument ?? flag, given.fields)), ...given.fields };
    const hub = connect(readHubChoice(given.own));
    await printJson(await hub.callByName(operation?.name ?? name, input));
    return 0;
  },
};

async function readInput(
  json: string | undefined,
  fields: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const isFromStdin = json === '-' || (json === undefined && isPiped() && Object.keys(fields).length === 0);
  if (!isFromStdin && json === undefined) return {};
  const text = isFromStdin ? await readStdin('the input as JSON') : (json ?? '');
  if (isFromStdin && json === undefined && text.trim() === '') return {};
  const input = readJsonObject(text);
  if (input === undefined) {
    throw usage(
      `${isFromStdin ? 'stdin' : 'The input'} is not a JSON object.`,
      `Write it like '{"threadId":"t463814920757"}'.`,
    );
  }
  return input;
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
