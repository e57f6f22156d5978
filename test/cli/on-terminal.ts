// The command on a terminal of its own, which `script` gives it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../support/eventually.js';
import { cliPath } from '../support/hub-process.js';
import { cleanEnv } from './run-cli.js';
import { screenOf } from './screen.js';

/** Part of every Linux; gives a program a terminal. */
const terminal = 'script';

export const hasTerminal = process.platform === 'linux' && spawnSync(terminal, ['--version']).status === 0;

const commandLine = (args: readonly string[]) =>
  [process.execPath, cliPath, ...args].map((word) => `'${word}'`).join(' ');

/** Runs a command that ends by itself. */
export function onTerminal(args: readonly string[], env: NodeJS.ProcessEnv = {}, typed = ''): string {
  const { stdout } = spawnSync(terminal, ['-qec', commandLine(args), '/dev/null'], {
    env: cleanEnv({ TERM: 'xterm-256color', ...env }),
    encoding: 'utf8',
    input: typed,
    timeout: 50_000,
  });
  return stdout;
}

export interface Terminal {
  type(keys: string): void;
  written(): string;
  /** The rows of the screen, without empty ones at the end. */
  screen(): string[];
  /** Resolves when the last rows of the screen are these. */
  endsWith(...rows: (string | RegExp)[]): Promise<void>;
  /** Resolves with the exit code. */
  ended(): Promise<number | null>;
}

export function startOnTerminal(args: readonly string[], columns: number, env: NodeJS.ProcessEnv = {}): Terminal {
  const line = `stty cols ${columns} rows 24; exec ${commandLine(args)}`;
  const child = spawn(terminal, ['-qefc', line, '/dev/null'], {
    env: cleanEnv({ TERM: 'xterm-256color', NO_COLOR: '1', ...env }),
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (written += chunk));
  const closed = once(child, 'close');
  const screen = () => screenOf(written, columns);
  return {
    type: (keys) => child.stdin.write(keys),
    written: () => written,
    screen,
    async endsWith(...rows) {
      const isShown = () => {
        const last = screen().slice(-rows.length);
        return rows.every((row, index) =>
          typeof row === 'string' ? last[index] === row : row.test(last[index] ?? ''),
        );
      };
      await eventually(`the rows ${rows.join(' | ')}`, isShown).catch((error: unknown) => {
        throw new Error(`${String(error)}, but:\n${screen().join('\n')}`);
      });
    },
    async ended() {
      await closed;
      return child.exitCode;
    },
  };
}
