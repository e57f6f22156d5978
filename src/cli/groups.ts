// coterie groups: lists groups and their members.
import type { GroupView } from '../contract/group.js';
import { operations } from '../contract/operations/index.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { connect } from './hub/connect.js';
import { tableLines, type Column } from './show/print-table.js';
import { printJson, printLines } from './show/print.js';
import { oneLine } from './show/printable.js';

const flags = [...flagsFromContract(operations.listGroups), ...hubFlags];

const description: Description = {
  usage: '[options]',
  about: ['Lists the groups of a session and their members; all is everyone.'],
  flags,
  examples: [
    { line: 'coterie groups', does: 'of the session default' },
    { line: 'coterie call set_group --name builders --members ann,ben', does: 'create or replace one' },
    { line: 'coterie send --as ann --to builders "Standup?"', does: 'one message for each member' },
  ],
};

export const groups: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields } = readArgs(argv, { command: 'groups', flags });
    const answer = await connect(readHubChoice(own)).call(operations.listGroups, fields);
    await (own.has('json') ? printJson(answer) : printLines(groupLines(answer.groups)));
    return 0;
  },
};

const columns: readonly Column[] = [
  { title: 'GROUP' },
  { title: 'MEMBERS', mayShrink: true },
  { title: 'NOT REGISTERED', mayShrink: true, style: () => 'yellow' },
];

function groupLines(list: readonly GroupView[]): string[] {
  const hasUnknown = list.some(({ unknownMembers = [] }) => unknownMembers.length > 0);
  const rows = list.map(({ name, members, unknownMembers = [] }) => {
    const unknown = new Set(unknownMembers);
    const registered = members.filter((id) => !unknown.has(id));
    return [oneLine(name), registered.map(oneLine).join(', '), unknownMembers.map(oneLine).join(', ')];
  });
  return tableLines(hasUnknown ? columns : columns.slice(0, -1), rows);
}
