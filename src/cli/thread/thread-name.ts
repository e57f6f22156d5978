// A thread in a sentence: its id and its title.
import { paint } from '../show/paint.js';
import { oneLine } from '../show/printable.js';

export function threadName({ threadId, title }: { threadId: string; title: string }): string {
  return `${paint('bold', oneLine(threadId))} “${oneLine(title)}”`;
}
