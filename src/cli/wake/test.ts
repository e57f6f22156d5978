// coterie wake test: wakes an agent without a message, waits for its next call, and prints where it stopped.
import { operations } from '../../contract/operations/index.js';
import { durationForm, readMs, type Flag } from '../arguments/flag.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { exitCodes } from '../show/exit-code.js';
import { tableLines } from '../show/print-table.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { attemptRow } from './attempt-row.js';

const waitMsDefault = 90_000;
const waitMsMax = 600_000;

const flags: readonly Flag[] = [
  {
    name: 'timeout',
    value: 'TIME',
    help: 'how long to wait for its call (90s)',
    allowed: `${durationForm}, at most 10m`,
    read: (value) => {
      const ms = readMs(value);
      return ms !== undefined && ms <= waitMsMax ? ms : undefined;
    },
  },
  ...hubFlags,
];

const description: Description = {
  usage: 'test @AGENT [options]',
  about: [
    'Wakes an agent without sending it anything, and waits until it calls the hub.',
    `Exit code ${exitCodes.done} when it did, ${exitCodes.timedOut} when no route reached it in time.`,
  ],
  flags,
  examples: [
    { line: 'coterie wake test @builder --as me', does: 'is it woken?' },
    { line: 'coterie wake test @builder --as me --timeout 5m --json', does: 'a slow one, for a program' },
  ],
};

export const test: Command = {
  describe: () => description,
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'wake test', flags, positionals: ['agent'] });
    const [target] = positionals;
    if (target === undefined) throw usage('wake test needs an agent.', 'Write: coterie wake test @builder --as me');
    const waitMs = readMs(own.get('timeout') ?? '') ?? waitMsDefault;
    const answer = await connect(readHubChoice(own)).call(operations.testWake, { target, waitMs });
    if (own.has('json')) await printJson(answer);
    else await printLines([oneLine(answer.text), ...attemptLines(answer.attempts.map(attemptRow))]);
    return answer.state === 'confirmed' ? exitCodes.done : exitCodes.timedOut;
  },
};

function attemptLines(rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  return [
    '',
    ...tableLines(
      [{ title: 'ROUTE' }, { title: 'STATE' }, { title: 'TOOK' }, { title: 'REASON', mayShrink: true }],
      rows,
    ),
  ];
}
