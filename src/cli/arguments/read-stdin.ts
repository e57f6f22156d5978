// Reads stdin. Prints a notice if nothing arrives, so that the command does not seem to hang.
import { printNotice } from '../show/print.js';

const noticeAfterMs = 2_000;

export function isPiped(): boolean {
  return !process.stdin.isTTY;
}

/** All of stdin; `what` describes the expected content. */
export async function readStdin(what: string): Promise<string> {
  const notice = `(reading ${what} from stdin; end it with Ctrl-D, or press Ctrl-C to cancel)`;
  if (!isPiped()) printNotice(notice);
  // Without it, an open pipe without data would look like a hanging command.
  const noticeTimer = isPiped() ? setTimeout(() => printNotice(notice), noticeAfterMs) : undefined;
  process.stdin.setEncoding('utf8');
  let text = '';
  try {
    for await (const chunk of process.stdin) {
      clearTimeout(noticeTimer);
      text += String(chunk);
    }
  } finally {
    clearTimeout(noticeTimer);
  }
  return text;
}
