// How a command ends when nothing was refused. A refusal ends with its code's exit code in contract/errors.ts.

export const exitCodes = {
  done: 0,
  /** doctor found something to fix. */
  unhealthy: 1,
  /** wait: the time passed and nothing came. */
  timedOut: 7,
  /** The output could not be written: a full disk behind `>`, not a reader that went away. */
  outputFailed: 74,
  /** Ended by Ctrl-C after cleaning up, as a shell counts it. */
  interrupted: 130,
} as const;
