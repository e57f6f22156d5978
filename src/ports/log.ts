// One JSON line per event on stderr. Never a message body, never a key.

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** From least to most severe. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Log {
  /** Everything is wanted: no line is left out under load. */
  readonly isDebug?: boolean;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields & { error?: string }): void;
}
