// coterie help and completion: every command is explained, and every shell knows them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandList } from '../../dist/cli/command-list.js';
import { exitCodes } from '../../dist/cli/show/exit-code.js';
import { errorKinds } from '../../dist/contract/errors.js';
import { output } from './run-cli.js';

const names = commandList.map(({ name }) => name);

const printed = new Map<string, Promise<string>>();

/** The output of a command that prints the same each time, run once. */
function outputOnce(...args: string[]): Promise<string> {
  const line = args.join(' ');
  const text = printed.get(line) ?? output(args);
  printed.set(line, text);
  return text;
}

describe('coterie help', () => {
  it('is an overview that fits one screen', async () => {
    const lines = (await output(['help'])).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    for (const name of names) expect(lines.join('\n')).toMatch(new RegExp(`^(\\w+)? +([\\w-]+, )*${name}[, ]`, 'm'));
    expect(await output([])).toBe(`${lines.join('\n')}\n`);
  });

  it.each(names)('explains %s, with examples, on 80 columns', async (name) => {
    const text = await outputOnce('help', name);
    expect(text).toMatch(new RegExp(`^Usage: coterie ${name} .+\n\n.+`));
    const examples = text.split('Examples:\n')[1]?.match(/^ {2}\S.*$/gm) ?? [];
    expect(examples.length).toBeGreaterThanOrEqual(2);
    const [beforeExamples = ''] = text.split('Examples:\n');
    expect(Math.max(...beforeExamples.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('has --key-file where a hub is called', async () => {
    const pages = await Promise.all(names.map(async (name) => [name, await output(['help', name])] as const));
    const without = pages.filter(([, text]) => /^ +--url /m.test(text) && !/^ +--key-file /m.test(text));
    // The first two ask nothing that needs a key; the demo plays three agents, whom no key is for.
    expect(without.map(([name]) => name)).toEqual(['where', 'connect', 'demo']);
  });

  it('is the same behind --help and -h', async () => {
    const text = await outputOnce('help', 'send');
    expect(await output(['send', '--to', 'ben', '--help'])).toBe(text);
    expect(await output(['send', '-h'])).toBe(text);
    expect(text).toMatch(/--to NAME +an agent or a group[^]*contract’s own names[^]*--idempotency-key/);
  });

  it('shows ids as they are', async () => {
    const pages = await Promise.all(names.map((name) => outputOnce('help', name)));
    const ids = pages.join('\n').match(/(?<=(?:thread|chat|--thread|join|leave|reply|close) )t[-\d]\S*/g) ?? [];
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) expect(id).toMatch(/^t\d{12}$/);
  });

  it('explains a verb on its own page', async () => {
    expect(await output(['help', 'thread', 'create'])).toMatch(/^Usage: coterie thread create TITLE[^]*--with A,B/);
    expect(await output(['thread', 'close', '--help'])).toMatch(/^Usage: coterie thread close ID[^]*--summary TEXT/);
  });

  it('explains the fields of an operation', async () => {
    expect(await output(['help', 'call', 'create_thread'])).toMatch(
      /^Usage: coterie call create_thread[^]*--participants A,B/,
    );
  });
});

describe('coterie completion', () => {
  it.each(['bash', 'zsh', 'fish'])('lists the commands and flags for %s', async (shell) => {
    const script = await outputOnce('completion', shell);
    for (const name of names) expect(script).toContain(name);
    expect(script).toMatch(/reply-to/);
    expect(script).toMatch(/PING PONG/);
  });

  const hasBash = spawnSync('bash', ['--version']).status === 0;

  it.skipIf(!hasBash).each([
    ['a command', 'th', 'threads thread'],
    ['a flag', 'send --rep', '--reply-to'],
    ['the words of a flag', 'send --type P', 'PING PONG'],
    ['an operation', 'call ack', 'ack_messages'],
    ['a command to explain', 'help dem', 'demo'],
    ['a verb', 'thread cl', 'close'],
    ['a flag of a verb', 'thread create --wi', '--with'],
    ['a shell', 'completion f', 'fish'],
  ])('completes %s in bash', async (_, typed, completed) => {
    const script = await outputOnce('completion', 'bash');
    const words = ['coterie', ...typed.split(' ')];
    const line = `${script}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _coterie; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', line], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: `${completed}\n`, stderr: '' });
  });
});

describe('docs/cli.md', () => {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');

  it('names every command', () => {
    for (const name of names) expect(page).toMatch(new RegExp(`^\\|.*\`${name}\``, 'm'));
  });

  it('lists every exit code, and no other', () => {
    const table = page.split('**Exit codes**')[1]?.split('An error is')[0] ?? '';
    const listed = [...table.matchAll(/^\| (\d+) /gm)].map(([, code]) => Number(code));
    const known = [...Object.values(exitCodes), ...Object.values(errorKinds).map((kind) => kind.exitCode)];
    expect(listed).toEqual([...new Set(known)].toSorted((a, b) => a - b));
  });
});
