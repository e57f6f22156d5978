#!/usr/bin/env node
// coterie <command>: finds and runs the command, and converts errors to exit codes.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorKinds, toHubError } from '../contract/errors.js';
import { withoutSecrets } from '../contract/key.js';
import { packageVersion } from '../version.js';
import { findCommand } from './command-list.js';
import { exitCodes } from './show/exit-code.js';
import { helpOf, overview, unknownCommand } from './help.js';
import { paintError } from './show/paint.js';
import { ignoreStreamErrors, OutputClosed, OutputFailed, printLines } from './show/print.js';
import { printable } from './show/printable.js';

/** Returns the exit code. */
export async function main([name, ...rest]: readonly string[]): Promise<number> {
  ignoreStreamErrors();
  try {
    if (name === undefined || ['--help', '-h'].includes(name)) return await show(overview());
    if (['--version', '-v', 'version'].includes(name)) return await show([packageVersion]);
    if (asksForHelp(rest)) return await show(await helpOf(name, rest));
    const listed = findCommand(name);
    if (listed === undefined) throw unknownCommand(name);
    return await (await listed.load()).run(rest);
  } catch (thrown) {
    return report(thrown);
  }
}

async function show(lines: readonly string[]): Promise<number> {
  await printLines(lines);
  return exitCodes.done;
}

/** Everything after `--` is text. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}

function report(thrown: unknown): number {
  if (thrown instanceof OutputClosed) return exitCodes.done;
  if (thrown instanceof OutputFailed) {
    process.stderr.write(
      `OUTPUT_FAILED: The output could not be written: ${thrown.message}\nFree disk space, or write to another file.\n`,
    );
    return exitCodes.outputFailed;
  }
  const error = toHubError(thrown);
  // It may quote agents' text, and what was typed.
  const [message, hint] = [error.message, error.hint].map((text) => withoutSecrets(printable(text)));
  process.stderr.write(`${paintError('red', `${error.code}:`)} ${message}\n${hint}\n`);
  // A bug in the CLI, so print the stack; the hub logs its own.
  if (thrown !== error) process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? '') : String(thrown)}\n`);
  return errorKinds[error.code].exitCode;
}

/** True when node was started with this file, also through the symbolic link of an installed command. */
function isEntry(): boolean {
  const entry = process.argv[1];
  return entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url);
}

if (isEntry()) process.exitCode = await main(process.argv.slice(2));
