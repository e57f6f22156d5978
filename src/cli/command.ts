// What every command is: something to run, and a description that its help and the completion scripts are made from.
import type { Flag } from './arguments/flag.js';

export interface Example {
  readonly line: string;
  readonly does: string;
}

export interface Description {
  /** What follows `coterie <command>`. */
  readonly usage: string;
  /** A few sentences; each line stays under 80 columns. */
  readonly about: readonly string[];
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  /** Rows under a title of their own, e.g. what `call` can call. */
  readonly list?: { readonly title: string; readonly rows: readonly (readonly [string, string])[] };
  /** What a first word may be, for completion. */
  readonly words?: readonly string[];
}

export interface Command {
  /** The arguments matter to commands whose flags depend on their first word. */
  describe(argv: readonly string[]): Description;
  /** Resolves with the exit code. */
  run(argv: readonly string[]): Promise<number>;
}
