// The command of `wake run`: placeholders are whole arguments, and there is no shell, so no text can become a part of the command.
import { usage } from '../arguments/usage.js';

const placeholders = ['prompt', 'session', 'agent'] as const;
type Placeholder = (typeof placeholders)[number];

export type Values = Readonly<Record<Placeholder, string | undefined>>;

/** `['wake', 'run', …flags]` and what stands after `--`. */
export function splitCommand(argv: readonly string[]): { flags: string[]; command: string[] } {
  const at = argv.indexOf('--');
  return at === -1 ? { flags: [...argv], command: [] } : { flags: argv.slice(0, at), command: argv.slice(at + 1) };
}

export function checkCommand(command: readonly string[]): void {
  const [program] = command;
  const example = 'coterie wake run --agent builder -- claude -p --resume {session} {prompt}';
  if (program === undefined || program === '')
    throw usage('wake run needs a command.', `Write it after --: ${example}`);
  if (placeholderOf(program) !== undefined) throw usage('The program cannot be a placeholder.', `Write: ${example}`);
  const partial = command.find(
    (part) => placeholderOf(part) === undefined && placeholders.some((name) => part.includes(`{${name}}`)),
  );
  if (partial === undefined) return;
  throw usage(`'${partial}' has a placeholder within an argument.`, 'Make the placeholder an argument of its own.');
}

/** Undefined if a value is missing. */
export function fillCommand(command: readonly string[], values: Values): string[] | undefined {
  const filled = command.map((part) => {
    const name = placeholderOf(part);
    return name === undefined ? part : values[name];
  });
  return filled.every((part) => part !== undefined) ? filled : undefined;
}

function placeholderOf(part: string): Placeholder | undefined {
  return placeholders.find((name) => part === `{${name}}`);
}
