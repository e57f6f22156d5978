// JSON lines on stderr, buffered for a moment so that a busy hub does not make a system call per line.
import { withoutSecrets } from '../contract/key.js';
import { logLevels, type Log, type LogFields, type LogLevel } from '../ports/log.js';

const bufferMs = 50;

export interface JsonLogOptions {
  /** Lower levels are not written. */
  readonly level?: LogLevel;
  readonly write?: (text: string) => void;
}

export function createJsonLog({
  level: leastLevel = 'info',
  write = (text) => process.stderr.write(text),
}: JsonLogOptions = {}): Log & { flush(): void } {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    // Callers put keys into the wrong fields, and some of these are logged.
    if (lines !== '') write(withoutSecrets(lines));
    lines = '';
  };
  const line =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (logLevels.indexOf(level) < logLevels.indexOf(leastLevel)) return;
      lines += `${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`;
      if (level === 'info') timer ??= setTimeout(flush, bufferMs).unref();
      else flush();
    };
  return { isDebug: leastLevel === 'debug', info: line('info'), warn: line('warn'), error: line('error'), flush };
}
