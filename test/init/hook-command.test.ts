// The command lines of hooks: a client gives them to a shell, so nothing in a path may be more than text.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandLine } from '../../src/cli/init/setup.js';
import { shellArgument } from '../../src/contract/shell-argument.js';
import { runCli } from '../cli/run-cli.js';
import { newUser } from '../support/new-user.js';

const hasShell = process.platform !== 'win32';

/** The arguments that a shell makes of a line. */
function argumentsIn(line: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

const names = ['a b', '$(echo x)', '`echo x`', '$HOME', 'a"b', "it's", 'a\\b', 'a;b&c|d', '~', '*', 'a\nb', '-n', ''];

it.skipIf(!hasShell).each(names)('a POSIX shell reads the argument as it is: %j', (name) => {
  expect(argumentsIn(['x', name].map((one) => shellArgument(one, 'linux')).join(' '))).toEqual(['x', name]);
});

it('an argument is quoted only where it must be', () => {
  for (const plain of ['coterie', '--data', '/home/ann/our-team_2', 'http://127.0.0.1:4100', 'ann@home', 'a=b,c+d']) {
    expect(shellArgument(plain, 'linux')).toBe(plain);
  }
  expect(shellArgument('/Users/ann/Application Support', 'darwin')).toBe(`'/Users/ann/Application Support'`);
  expect(shellArgument(String.raw`C:\Users\Ann B`, 'win32')).toBe(String.raw`"C:\Users\Ann B"`);
});

it.skipIf(!hasShell).each(['claude', 'gemini', 'cursor', 'codex'])(
  'no command in the name of a folder is run by a hook of %s',
  async (client) => {
    const { env, project } = newUser();
    const home = env['HOME'] ?? '';
    const cwd = project('$(touch "$HOME/pwned")`touch "$HOME/pwned"`\'"');
    mkdirSync(join(cwd, '.coterie'));
    expect(await runCli(['init', client, '--agent', 'builder', '--yes'], { env, cwd })).toMatchObject({ exitCode: 0 });
    const commands = readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?:hooks|settings|monitors)\.json$/.test(path) && !path.startsWith('share'))
      .flatMap((path) => [...readFileSync(join(home, path), 'utf8').matchAll(/"command": (".* (?:wake|inbox) .*")/g)])
      .map(([, command = '']): string => JSON.parse(command));
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      // Only the words are expanded: nothing of ours is started.
      const words = command.replace(/^.*exec /, '');
      const out = execFileSync('sh', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8', env: { HOME: home } });
      expect(out.split('\0')).toContain(join(cwd, '.coterie'));
    }
    expect(existsSync(join(home, 'pwned'))).toBe(false);
  },
);

it('what no shell can be given as text is refused', async () => {
  const setup = (folder: string, platform: NodeJS.Platform) => {
    return { command: ['coterie'], hubFlags: ['--data', folder], agent: undefined, platform };
  };
  for (const folder of ['/a\nb', '/a\rb', '/a\0b']) {
    expect(() => commandLine(setup(folder, 'linux'), ['inbox'], '--as')).toThrow(/line break/);
  }
  for (const folder of ['C:\\%PATH%', 'C:\\$(x)', 'C:\\`x`', 'C:\\"x']) {
    expect(() => commandLine(setup(folder, 'win32'), ['inbox'], '--as')).toThrow(/cannot be quoted/);
  }
  const { env, project } = newUser();
  const cwd = project('two\nlines');
  mkdirSync(join(cwd, '.coterie'));
  const refused = await runCli(['init', 'gemini', '--yes'], { env, cwd });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/line break/) });
  expect(existsSync(join(env['HOME'] ?? '', '.gemini'))).toBe(false);
});
