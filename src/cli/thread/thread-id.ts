// The thread a command is about: its argument, or the contract's own flag.
import { usage } from '../arguments/usage.js';

export function threadIdOf(
  command: string,
  argument: string | undefined,
  fields: Readonly<Record<string, unknown>> = {},
): unknown {
  const flag = fields['threadId'];
  if (argument !== undefined && flag !== undefined) throw usage('The id was given twice.', 'Give it once.');
  const threadId = argument ?? flag;
  if (threadId === undefined) throw usage(`${command} needs the id of a thread.`, 'See them with: coterie threads');
  return threadId;
}
