// Exit codes of commands without an error. Those of errors are in contract/errors.ts.

export const exitCodes = {
  done: 0,
  /** doctor found something to fix. */
  unhealthy: 1,
  /** wait: the timeout passed without messages. ask: without an answer; the question stays pending. */
  timedOut: 7,
  /** ask: the person will not answer. */
  declined: 8,
  /** ask: no one answered in time; that is neither yes nor no. */
  expired: 9,
  /** ask: the question was taken back. */
  cancelled: 10,
  /** init: there is something to write, and nobody agreed. */
  notWritten: 11,
  /** ask: answered, with free text alone. */
  freeText: 20,
  /** The output could not be written, e.g. to a full disk; not a closed pipe. */
  outputFailed: 74,
  /** Ended by Ctrl-C, after cleaning up. */
  interrupted: 130,
} as const;

/** ask: answered with option n, from 1. */
export function optionExitCode(option: number): number {
  return exitCodes.freeText + option;
}
