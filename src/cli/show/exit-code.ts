// Exit codes of commands without an error. Those of errors are in contract/errors.ts.

export const exitCodes = {
  done: 0,
  /** doctor found something to fix. */
  unhealthy: 1,
  /** wait: the timeout passed without messages. */
  timedOut: 7,
  /** The output could not be written, e.g. to a full disk; not a closed pipe. */
  outputFailed: 74,
  /** Ended by Ctrl-C, after cleaning up. */
  interrupted: 130,
} as const;
