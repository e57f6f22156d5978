// coterie audit: who did which administrative act, or read the mail of others.
import type { OutputOf } from '../contract/operation.js';
import type { AuditView } from '../contract/operations/list-audit.js';
import { operations } from '../contract/operations/index.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { connect } from './hub/connect.js';
import { tableLines, type Column } from './show/print-table.js';
import { printJson, printLines } from './show/print.js';
import { oneLine } from './show/printable.js';
import { shortTime } from './show/short-time.js';

const flags = [
  ...flagsFromContract(operations.listAudit, [
    { name: 'actor', field: 'actor', value: 'NAME', help: 'only acts of this agent; cli is the command line' },
    { name: 'act', field: 'act', value: 'NAME', help: 'only this operation or command' },
    { name: 'since', field: 'since', value: 'TIME', help: 'not earlier; ISO 8601, such as 2026-07-01' },
    { name: 'until', field: 'until', value: 'TIME', help: 'not later' },
    { name: 'limit', field: 'limit', help: 'maximum number (50)' },
  ]),
  ...hubFlags,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Prints administrative acts and reads of others’ mail, newest first: when, who,',
    'with which key, from where. Needs the key of an admin, if the hub has keys.',
  ],
  flags,
  examples: [
    { line: 'coterie audit', does: 'the last 50' },
    { line: 'coterie audit --actor ann --since 2026-07-01', does: 'what ann did since then' },
    { line: 'coterie audit --act create_key --json', does: 'who made keys, for a program' },
  ],
};

export const audit: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields } = readArgs(argv, { command: 'audit', flags });
    const found = await connect(readHubChoice(own)).call(operations.listAudit, fields);
    await (own.has('json') ? printJson(found) : printLines(auditLines(found)));
    return 0;
  },
};

const columns: readonly (Column & { cell: (entry: AuditView) => string })[] = [
  { title: 'WHEN', cell: ({ at }) => shortTime(at) },
  { title: 'WHO', cell: ({ actor }) => (actor === '' ? '-' : oneLine(actor)) },
  { title: 'KEY', cell: ({ keyId = '-' }) => oneLine(keyId) },
  { title: 'FROM', cell: ({ address = '-' }) => oneLine(address) },
  { title: 'ACT', cell: ({ act }) => oneLine(act) },
  { title: 'TARGET', cell: ({ target = '-' }) => oneLine(target) },
  {
    title: 'DETAILS',
    mayShrink: true,
    cell: ({ details }) => (details === undefined ? '' : oneLine(JSON.stringify(details))),
  },
];

function auditLines({ entries, cursor }: OutputOf<typeof operations.listAudit>): string[] {
  const more = cursor === null ? [] : [`More: the same with --cursor ${cursor}`];
  if (entries.length === 0) return [cursor === null ? 'No entries.' : 'None among the latest entries.', ...more];
  const rows = entries.map((entry) => columns.map(({ cell }) => cell(entry)));
  return [...tableLines(columns, rows), ...more];
}
