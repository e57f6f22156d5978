#!/usr/bin/env node
// coterie <command>: finds the command, runs it, turns what it throws into an exit code.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HubError, errorKinds, toHubError } from '../contract/errors.js';
import { nearest } from '../contract/nearest.js';
import { packageVersion } from '../version.js';
import { helpText } from './help.js';
import { runServe } from './serve.js';
import { runStop } from './stop.js';

type Command = (argv: readonly string[]) => Promise<void>;

const commands: Record<string, Command> = {
  serve: runServe,
  mcp: async (argv) => (await import('./mcp.js')).runMcp(argv),
  stop: runStop,
};

/** Returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = argv;
  try {
    if (['help', '--help', '-h'].includes(name) || rest.includes('--help') || rest.includes('-h')) {
      process.stdout.write(helpText(name));
      return 0;
    }
    if (['--version', '-v', 'version'].includes(name)) {
      process.stdout.write(`${packageVersion}\n`);
      return 0;
    }
    const command = commands[name];
    if (command === undefined) throw unknownCommand(name);
    await command(rest);
    return 0;
  } catch (thrown) {
    return report(thrown);
  }
}

function report(thrown: unknown): number {
  const error = toHubError(thrown);
  process.stderr.write(`${error.code}: ${error.message}\n${error.hint}\n`);
  if (error.code === 'INTERNAL')
    process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? '') : String(thrown)}\n`);
  return errorKinds[error.code].exitCode;
}

function unknownCommand(name: string): HubError {
  const known = Object.keys(commands);
  const [near] = nearest(name, known);
  const all = `Commands: ${known.join(', ')}.`;
  return new HubError('USAGE', `There is no command '${name}'.`, {
    hint: near === undefined ? all : `Did you mean '${near}'? ${all}`,
  });
}

/** True when node was started with this file, also through the symbolic link of an installed command. */
function isEntry(): boolean {
  const entry = process.argv[1];
  return entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url);
}

if (isEntry()) process.exitCode = await main(process.argv.slice(2));
