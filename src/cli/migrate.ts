// coterie migrate: copies a data folder into PostgreSQL, while its hub runs and once more after it stopped.
import { loadPlace } from '../config.js';
import { databaseUrlForm, isDatabaseUrl, withoutPassword } from '../contract/database-url.js';
import { migrate, type Migrated } from '../store/migrate/migrate.js';
import { isSame, type Verdict } from '../store/migrate/verify.js';
import type { Flag } from './arguments/flag.js';
import { jsonFlag } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import { usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { exitCodes } from './show/exit-code.js';
import { paint } from './show/paint.js';
import { tableLines } from './show/print-table.js';
import { printJson, printLines, printNotice } from './show/print.js';
import { printable } from './show/printable.js';

const flags: readonly Flag[] = [
  { name: 'from', value: 'DIR', help: 'the data folder (see coterie where)', env: 'COTERIE_DATA' },
  { name: 'to', value: 'URL', help: 'the database; keep a password out of flags', env: 'COTERIE_DATABASE_URL' },
  { name: 'verify-only', help: 'compare and change nothing' },
  jsonFlag,
];

const description: Description = {
  usage: '[--from DIR] --to URL',
  about: [
    'Copies the sessions of a data folder into a PostgreSQL database and compares',
    'all rows. The hub of the folder may be running: stop it and run this again to',
    'copy the latest changes, then start hubs on the database.',
    `Exit code ${exitCodes.unhealthy} when the two differ. The folder is not changed.`,
  ],
  flags,
  examples: [
    { line: 'coterie migrate --from ./.coterie --to postgres://hub@db/coterie', does: 'can be repeated' },
    { line: 'coterie migrate --to postgres://hub@db/coterie --verify-only', does: 'compare only' },
  ],
};

/** A long run reports progress; a short one prints none. */
const progressEveryMs = 2_000;

export const migrateCommand: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'migrate', flags });
    const from = folderOf(own.get('from'));
    const isVerifyOnly = own.has('verify-only');
    let shownAt = performance.now();
    const migrated = await migrate({
      from,
      to: databaseOf(own),
      isVerifyOnly,
      onProgress(line) {
        if (performance.now() - shownAt < progressEveryMs) return;
        shownAt = performance.now();
        printNotice(printable(line));
      },
    });
    if (own.has('json')) await printJson(reportOf(migrated));
    else await printLines([...tableOf(migrated), '', conclusionOf(migrated)]);
    return migrated.verdicts.every(isSame) ? exitCodes.done : exitCodes.unhealthy;
  },
};

function folderOf(typed: string | undefined): string {
  // The database is the target here, not the place of the hub.
  return loadPlace(typed === undefined ? [] : [`--data=${typed}`], { ...process.env, COTERIE_DATABASE_URL: '' }).data;
}

/** Parsed here because a flag's error message would quote a password. */
function databaseOf(own: ReadonlyMap<string, string>): string {
  const typed = own.get('to');
  const given = typed ?? process.env['COTERIE_DATABASE_URL'] ?? '';
  const source = typed === undefined ? 'COTERIE_DATABASE_URL' : '--to';
  if (given === '') throw usage('migrate needs --to (or COTERIE_DATABASE_URL).', `Allowed: ${databaseUrlForm}.`);
  if (!isDatabaseUrl(given))
    throw usage(`${source} was given '${withoutPassword(given)}'.`, `Allowed: ${databaseUrlForm}.`);
  return given;
}

interface KindRow {
  kind: string;
  rows: number;
  changed: number;
  isSame: boolean;
}

function kindsOf({ verdicts, changed }: Migrated): KindRow[] {
  const kinds = new Map<string, KindRow>();
  for (const verdict of verdicts) {
    const { name, kind } = verdict.table;
    const before = kinds.get(kind) ?? { kind, rows: 0, changed: changed.get(name) ?? 0, isSame: true };
    kinds.set(kind, { ...before, rows: before.rows + verdict.rows, isSame: before.isSame && isSame(verdict) });
  }
  return [...kinds.values()];
}

function tableOf(migrated: Migrated): string[] {
  const columns = [
    { title: 'KIND' },
    { title: 'ROWS', align: 'right' },
    { title: 'CHANGED', align: 'right' },
    { title: 'CHECK' },
  ] as const;
  return tableLines(
    columns,
    kindsOf(migrated).map((row) => [
      row.kind,
      String(row.rows),
      String(row.changed),
      row.isSame ? 'verified' : 'DIFFERENT',
    ]),
  );
}

function conclusionOf({ verdicts }: Migrated): string {
  if (verdicts.length === 0) return 'The folder has no sessions; nothing to copy.';
  const wrong = verdicts.filter((verdict) => !isSame(verdict));
  if (wrong.length > 0) return paint('red', wrong.map(differenceText).join('\n'));
  const rows = verdicts.reduce((sum, verdict) => sum + verdict.rows, 0);
  return paint('green', `${rows} rows verified: the database equals the folder.`);
}

function differenceText({ session, table, rows, foundRows, place }: Verdict): string {
  const counts = rows === foundRows ? `${rows} rows` : `${rows} rows in the folder, ${foundRows} in the database`;
  return printable(`session ${session}, ${table.kind}: ${counts}; first difference at ${place ?? 'an unknown row'}`);
}

function reportOf(migrated: Migrated): Record<string, unknown> {
  return {
    verified: migrated.verdicts.every(isSame),
    kinds: kindsOf(migrated).map(({ isSame: verified, ...row }) => ({ ...row, verified })),
    sessions: migrated.verdicts.map(({ table, ...verdict }) => ({ kind: table.kind, ...verdict })),
  };
}
