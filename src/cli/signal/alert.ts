// coterie alert: tells people something, without a question.
import { operations } from '../../contract/operations/index.js';
import { flagsFromContract } from '../arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { readText } from '../arguments/read-text.js';
import type { Command, Description } from '../command.js';
import { paint } from '../show/paint.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { callSealed } from './sealed-call.js';

const flags = [
  ...flagsFromContract(
    operations.sendAlert,
    [
      { name: 'type', field: 'alertType', help: 'error is pushed at once (info)' },
      { name: 'context', field: 'context', value: 'TEXT', help: 'more to read; markdown' },
      { name: 'to', field: 'to', help: 'people; everyone of the session without it' },
      { name: 'priority', field: 'priority', help: 'high: pushed at once (normal)' },
      { name: 'label', field: 'sessionId', value: 'TEXT', help: 'which run or job it is about' },
      { name: 'project', field: 'projectId', value: 'NAME', help: 'shown beside it' },
    ],
    ['message', 'idempotencyKey'],
  ),
  ...hubFlags,
];

const description: Description = {
  usage: '[options] TEXT',
  about: [
    'Notifies people, on their phone and in the app. No answer is expected. The text',
    'is the argument, or stdin with - or a pipe.',
  ],
  flags,
  examples: [
    { line: 'coterie alert --as ci "Nightly build is green" --type success', does: 'to everyone' },
    { line: 'make test || coterie alert --as ci "Tests failed" --type error', does: 'from a script' },
    { line: 'tail -20 build.log | coterie alert --as ci --to ada -', does: 'from a pipe' },
  ],
};

export const alert: Command = {
  describe: () => description,
  async run(argv) {
    const given = readArgs(argv, { command: 'alert', flags, positionals: ['text'] });
    const message = await readText(given, wantedText);
    const sent = await callSealed(readHubChoice(given.own), operations.sendAlert, { ...given.fields, message });
    if (given.own.has('json')) await printJson(sent);
    else {
      await printLines([
        `${paint('green', oneLine(sent.message))} (${sent.alertId})`,
        ...(sent.warnings ?? []).map((warning) => paint('yellow', `Note: ${oneLine(warning)}`)),
      ]);
    }
    return 0;
  },
};

const wantedText = {
  command: 'alert',
  field: 'message',
  what: 'text',
  example: 'coterie alert --as ci "Tests failed" --type error',
};
