// A command: its code, and the description from which help and completion scripts are generated.
import type { Flag } from './arguments/flag.js';

export interface Example {
  readonly line: string;
  readonly does: string;
}

export interface Description {
  /** The arguments after `coterie <command>`. */
  readonly usage: string;
  /** A few sentences; each line stays under 80 columns. */
  readonly about: readonly string[];
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  /** Rows under their own title, e.g. the operations of `call`. */
  readonly list?: { readonly title: string; readonly rows: readonly (readonly [string, string])[] };
  /** Values of the first positional argument, for completion. */
  readonly choices?: readonly string[];
  /** First arguments that have a description of their own. */
  readonly verbs?: readonly string[];
}

export interface Command {
  /** `argv` matters to commands whose flags depend on their first argument. */
  describe(argv: readonly string[]): Description;
  /** Resolves with the exit code. */
  run(argv: readonly string[]): Promise<number>;
}
