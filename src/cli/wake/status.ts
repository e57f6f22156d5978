// coterie wake status: the switch of this machine, and what the hub knows of an agent's routes and wakes.
import { operations } from '../../contract/operations/index.js';
import type { OutputOf } from '../../contract/operation.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { tableLines } from '../show/print-table.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { shortTime } from '../show/short-time.js';
import { attemptRow } from './attempt-row.js';
import { switchesOff } from './switch.js';

const flags = [
  { name: 'of', value: 'NAME', help: 'of another agent; for administrators' },
  { name: 'limit', value: 'N', help: 'how many wakes, newest first (5)' },
  ...hubFlags,
];

const description: Description = {
  usage: 'status [options]',
  about: ['Shows how an agent can be woken, what became of its latest wakes, and its budget.'],
  flags,
  examples: [
    { line: 'coterie wake status --as builder', does: 'routes and wakes of builder' },
    { line: 'coterie wake status --as builder --json', does: 'for a program' },
  ],
};

const wakesShown = 5;

export const status: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'wake status', flags });
    const other = own.get('of');
    const answer = await connect(readHubChoice(own)).call(operations.listWakes, {
      limit: Number(own.get('limit') ?? wakesShown),
      ...(other === undefined ? {} : { agent: other }),
    });
    const switches = switchesOff();
    if (own.has('json')) await printJson({ ...answer, switches });
    else await printLines([...switchLines(switches, answer.agent), ...lines(answer)]);
    return 0;
  },
};

function switchLines({ everyone, agents }: ReturnType<typeof switchesOff>, agent: string): string[] {
  if (everyone) return ['Wakes are switched off on this machine: coterie wake on'];
  return agents.includes(agent)
    ? [`Wakes of ${oneLine(agent)} are switched off on this machine: coterie wake on --agent ${oneLine(agent)}`]
    : [];
}

function lines({ agent, wake, routes, wakes, budget }: OutputOf<typeof operations.listWakes>): string[] {
  return [
    `${oneLine(agent)}: ${oneLine(wake.text)}`,
    `${budget.usedInLastHour} of ${budget.wakesPerHour} wakes used in the last hour${budget.until === undefined ? '' : `; none before ${shortTime(budget.until)}`}`,
    ...(routes.length === 0 ? [] : ['', ...routeLines(routes)]),
    ...(wakes.length === 0 ? [] : ['', ...wakeLines(wakes)]),
  ];
}

type Listed = OutputOf<typeof operations.listWakes>;

function routeLines(routes: Listed['routes']): string[] {
  const columns = [{ title: 'ROUTE' }, { title: 'STATE' }, { title: 'SINCE' }, { title: 'LABEL', mayShrink: true }];
  return tableLines(
    columns,
    routes.map(({ kind, state, setAt, label }) => [kind, state, shortTime(setAt), oneLine(label)]),
  );
}

function wakeLines(wakes: Listed['wakes']): string[] {
  const columns = [
    { title: 'WAKE' },
    { title: 'ROUTE' },
    { title: 'STATE' },
    { title: 'TOOK' },
    { title: 'REASON', mayShrink: true },
  ];
  return tableLines(
    columns,
    wakes.flatMap(({ startedAt, isTest, attempts }) =>
      attempts.map((attempt) => [`${shortTime(startedAt)}${isTest ? ' test' : ''}`, ...attemptRow(attempt)]),
    ),
  );
}
