// JSON lines on stderr, buffered for a moment so that a busy hub does not make a system call per line.
import type { Log, LogFields } from '../ports/log.js';

const bufferMs = 50;

export function createJsonLog(
  write: (text: string) => void = (text) => process.stderr.write(text),
): Log & { flush(): void } {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') write(lines);
    lines = '';
  };
  const line =
    (level: string) =>
    (event: string, fields: LogFields = {}) => {
      lines += `${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`;
      if (level === 'info') timer ??= setTimeout(flush, bufferMs).unref();
      else flush();
    };
  return { info: line('info'), warn: line('warn'), error: line('error'), flush };
}
