// The table of docs/clients.md: a column for each client, a row for each thing that its model does.
import { readFileSync, writeFileSync } from 'node:fs';

const rows = {
  mail: 'a mail with a picture',
  second: 'the second read',
  error: 'an error',
  wait: 'a wait; the mail comes after 100 s',
  afterKill: 'after the hub was killed and started again',
  key: 'with its key',
  wrongKey: 'with a wrong key',
  noKey: 'without a key',
};

/** `results`: the client and what its model was shown. */
export function tableOf(results) {
  const columns = results.map(({ client }) => `${client.title} ${client.package.version}`);
  const lines = Object.entries(rows).map(([field, title]) => [
    title,
    ...results.map(({ seen }) => cellOf(field, seen)),
  ]);
  return [['', ...columns], columns.concat('').map(() => '---'), ...lines]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function cellOf(field, seen) {
  return (seen[field] ?? '**not reached**').replaceAll('|', '\\|').replaceAll('\n', ' ');
}

const begin = '<!-- npm run clients -- --write -->';
const end = '<!-- end -->';

/** Replaces the table between the marks. */
export function writeTable(file, table) {
  const text = readFileSync(file, 'utf8');
  const [from, until] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || until < from) throw new Error(`${file} has no marks for the table.`);
  writeFileSync(file, `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(until)}`);
}
