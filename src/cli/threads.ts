// coterie threads: lists the threads of a session, newest first.
import type { OutputOf } from '../contract/operation.js';
import { operations } from '../contract/operations/index.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { connect } from './hub/connect.js';
import { tableLines, type Column } from './show/print-table.js';
import { printJson, printLines } from './show/print.js';
import { oneLine } from './show/printable.js';

const flags = [
  ...flagsFromContract(operations.listThreads, [
    { name: 'status', field: 'status', help: 'only these' },
    { name: 'with', field: 'participant', value: 'NAME', help: 'only with this agent in it' },
    { name: 'limit', field: 'limit', help: 'maximum number (50)' },
  ]),
  ...hubFlags,
];

const description: Description = {
  usage: '[options]',
  about: ['Lists threads, newest first; with --as NAME also your unread counts.'],
  flags,
  examples: [
    { line: 'coterie threads', does: 'of the session default' },
    { line: 'coterie threads --as ben --status open', does: 'open ones, with ben’s unread' },
    { line: 'coterie threads --with ann --json', does: 'ann’s threads, for a program' },
  ],
};

export const threads: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields } = readArgs(argv, { command: 'threads', flags });
    const answer = await connect(readHubChoice(own)).call(operations.listThreads, fields);
    await (own.has('json') ? printJson(answer) : printLines(threadLines(answer, fields)));
    return 0;
  },
};

type Listed = OutputOf<typeof operations.listThreads>;

const membersShown = 4;

const columns: readonly Column[] = [
  { title: 'THREAD' },
  { title: 'TITLE', mayShrink: true },
  { title: 'STATUS', style: (status) => (status.startsWith('open') ? 'green' : 'dim') },
  { title: 'MEMBERS', mayShrink: true },
  { title: 'UNREAD', align: 'right', style: () => 'bold' },
];

function threadLines({ threads: list, cursor }: Listed, filter: Readonly<Record<string, unknown>>): string[] {
  if (list.length === 0 && (filter['status'] !== undefined || filter['participant'] !== undefined)) {
    return ['No such threads. All of them: coterie threads'];
  }
  if (list.length === 0) {
    return ['No threads. Create one:', '  coterie thread create "Release 1.4" --as ann --with ben'];
  }
  const hasUnread = list.some(({ unread }) => unread > 0);
  const rows = list.map(({ threadId, title, status, critical, participants, unread }) => [
    oneLine(threadId),
    oneLine(title),
    critical ? `${status}, critical` : status,
    memberText(participants),
    unread === 0 ? '' : String(unread),
  ]);
  const more = cursor === null ? [] : [`More: coterie threads --cursor ${cursor}`];
  return [...tableLines(hasUnread ? columns : columns.slice(0, -1), rows), ...more];
}

export function memberText(ids: readonly string[]): string {
  const more = ids.length > membersShown ? ` and ${ids.length - membersShown} more` : '';
  return `${ids.slice(0, membersShown).map(oneLine).join(', ')}${more}`;
}
