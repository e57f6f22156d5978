// coterie help: an overview on one screen, and one page per command.
import { packageVersion } from '../version.js';
import type { Flag } from './arguments/flag.js';
import { didYouMean, usage } from './arguments/usage.js';
import { findCommand, commandList, type CommandEntry } from './command-list.js';
import type { Command, Description } from './command.js';
import { paint } from './show/paint.js';
import { printLines } from './show/print.js';

const description: Description = {
  usage: '[COMMAND]',
  about: ['Prints the overview, or the help of one command.'],
  flags: [],
  examples: [
    { line: 'coterie help send', does: 'flags and examples of send' },
    { line: 'coterie help call create_thread', does: 'the fields of one operation' },
  ],
};

export const help: Command = {
  describe: () => description,
  async run([name, ...rest]) {
    await printLines(name === undefined ? overview() : await helpOf(name, rest));
    return 0;
  },
};

export function overview(): string[] {
  let group = '';
  const rows = overviewRows().map(({ names, first }) => {
    const heading = first.group === group ? '' : first.group;
    group = first.group;
    return `${paint('dim', heading.padEnd(6))}${paint('bold', names.join(', ').padEnd(nameColumns))}${first.rowSummary ?? first.summary}`;
  });
  return [
    `Usage: coterie <command> [options]      (${packageVersion}, a message hub for AI agents)`,
    ...rows,
    'Client:     --data DIR or --url URL, --session NAME, --as NAME, --json.',
    'Hub:        --port N (COTERIE_PORT), --data DIR, --config FILE; see help serve.',
    `New here?   ${paint('bold', 'coterie demo')}, then ${paint('bold', 'coterie serve')}. More: coterie help <command>.`,
  ];
}

const nameColumns = 24;

/** Related commands share a row, so that the overview fits one screen. */
function overviewRows(): { names: string[]; first: CommandEntry }[] {
  const rows: { names: string[]; first: CommandEntry }[] = [];
  for (const listed of commandList) {
    const row = rows.at(-1);
    if (listed.sharesRow === true && row !== undefined) row.names.push(listed.name);
    else rows.push({ names: [listed.name], first: listed });
  }
  return rows;
}

export async function helpOf(name: string, rest: readonly string[] = []): Promise<string[]> {
  const listed = findCommand(name);
  if (listed === undefined) throw unknownCommand(name);
  const { usage: form, about, flags, examples, list } = (await listed.load()).describe(rest);
  const shown = flags.filter(({ isSecondary }) => isSecondary !== true);
  const secondary = flags.filter(({ isSecondary }) => isSecondary === true).map((flag) => `--${flag.name}`);
  return [
    `Usage: coterie ${name} ${form}`,
    '',
    ...about,
    ...(shown.length === 0 ? [] : ['', 'Options:', ...rowsOf(shown.map((flag) => [flagForm(flag), flagHelp(flag)]))]),
    ...(secondary.length === 0
      ? []
      : ['', 'The contract’s own names work too:', ...wrapped(secondary, pageColumns - 2).map((line) => `  ${line}`)]),
    ...(list === undefined ? [] : ['', `${list.title}:`, ...rowsOf(list.rows)]),
    ...(examples.length === 0
      ? []
      : ['', 'Examples:', ...examples.flatMap(({ line, does }) => [`  ${paint('bold', line)}`, `      ${does}`])]),
  ];
}

export function unknownCommand(name: string): Error {
  const names = commandList.map((listed) => listed.name);
  return usage(
    `There is no command '${name}'.`,
    `${didYouMean(name, names, (near) => `'${near}'`)}Commands: ${names.join(', ')}.`,
  );
}

function flagForm({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function flagHelp({ help: text, env, choices = [] }: Flag): string {
  // Up to three choices are shown in place of the value.
  const list = choices.length > 3 ? choices.join(' ') : '';
  return [text === '' ? list : text, ...(env === undefined ? [] : [`[${env}]`])].join(' ').trim();
}

const formColumnsMax = 26;
const pageColumns = 80;

/** Two columns; the second is wrapped. */
function rowsOf(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(formColumnsMax, Math.max(...rows.map(([form]) => form.length)));
  return rows.flatMap(([form, text]) => {
    const [first = '', ...more] = wrapped(text.split(' '), pageColumns - width - 4);
    const head = `  ${paint('bold', form.padEnd(width))}  ${first}`.trimEnd();
    return [head, ...more.map((line) => ' '.repeat(width + 4) + line)];
  });
}

function wrapped(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
