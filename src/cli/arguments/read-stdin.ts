// Text that is piped in. A person who did not mean to is told what is being waited for.
import { remark } from '../show/print.js';

const patienceMs = 2_000;

export function isPiped(): boolean {
  return !process.stdin.isTTY;
}

/** All of stdin; `what` says what it is taken for. */
export async function readStdin(what: string): Promise<string> {
  const notice = `(reading ${what} from stdin; end it with Ctrl-D, or Ctrl-C to give up)`;
  if (!isPiped()) remark(notice);
  // A pipe nobody writes to and nobody closes would look like a command that hangs.
  const impatient = isPiped() ? setTimeout(() => remark(notice), patienceMs) : undefined;
  process.stdin.setEncoding('utf8');
  let text = '';
  try {
    for await (const chunk of process.stdin) {
      clearTimeout(impatient);
      text += String(chunk);
    }
  } finally {
    clearTimeout(impatient);
  }
  return text;
}
