// coterie agents: lists agents.
import type { AgentView, Presence } from '../contract/agent.js';
import { operations } from '../contract/operations/index.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { connect } from './hub/connect.js';
import type { Style } from './show/paint.js';
import { tableLines, type Column } from './show/print-table.js';
import { printJson, printLines } from './show/print.js';
import { oneLine } from './show/printable.js';
import { ago } from './show/short-time.js';

const flags = [
  ...flagsFromContract(operations.listAgents, [
    { name: 'group', field: 'group', value: 'NAME', help: 'only its members' },
    { name: 'capability', field: 'capability', value: 'NAME', help: 'only agents with it' },
  ]),
  ...hubFlags,
];

const description: Description = {
  usage: '[options]',
  about: ['Lists the agents of a session, with presence and unread counts.'],
  flags,
  examples: [
    { line: 'coterie agents', does: 'of the session default' },
    { line: 'coterie agents --session team-b --capability review', does: 'who can review' },
    { line: 'coterie agents --json | jq -r ".agents[].id"', does: 'the ids, for a program' },
  ],
};

const presenceStyles: Readonly<Partial<Record<string, Style>>> = {
  waiting: 'green',
  active: 'cyan',
  idle: 'yellow',
  offline: 'dim',
} satisfies Record<Presence, Style>;

export const agents: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields } = readArgs(argv, { command: 'agents', flags });
    const answer = await connect(readHubChoice(own)).call(operations.listAgents, fields);
    await (own.has('json') ? printJson(answer) : printLines(linesOf(answer.agents, fields)));
    return 0;
  },
};

function linesOf(list: readonly AgentView[], { group, capability }: Readonly<Record<string, unknown>>): string[] {
  const isFiltered = group !== undefined || capability !== undefined;
  return list.length === 0 && isFiltered ? ['No such agents. All of them: coterie agents'] : agentLines(list);
}

/** Without empty columns. Also used by `top`. */
export function agentLines(list: readonly AgentView[], columnsMax?: number): string[] {
  if (list.length === 0) {
    return [
      'No agents yet. An agent appears with its first call:',
      '  coterie call register_agent --as ann --description "writes the docs"',
    ];
  }
  const columns: (Column & { cell: (agent: AgentView) => string })[] = [
    { title: 'AGENT', cell: ({ id }) => oneLine(id) },
    { title: 'NAME', mayShrink: true, cell: ({ id, name }) => (name === id ? '' : oneLine(name)) },
    { title: 'PRESENCE', cell: ({ presence }) => presence, style: (presence) => presenceStyles[presence] },
    { title: 'SEEN', align: 'right', cell: ({ lastSeen }) => (lastSeen === undefined ? '' : ago(lastSeen)) },
    {
      title: 'UNREAD',
      align: 'right',
      cell: ({ unread = 0 }) => (unread === 0 ? '' : String(unread)),
      style: () => 'bold',
    },
    { title: 'DESCRIPTION', mayShrink: true, cell: ({ description: text }) => oneLine(text) },
  ];
  const shown = columns.filter(({ title, cell }) => title === 'AGENT' || list.some((agent) => cell(agent) !== ''));
  const rows = list.map((agent) => shown.map(({ cell }) => cell(agent)));
  return tableLines(shown, rows, columnsMax);
}
