// The words that a client is woken with: the hub's, in one line, with no content of a message.
import type { OutputOf } from '../../contract/operation.js';
import type { operations } from '../../contract/operations/index.js';
import { oneLine } from '../show/printable.js';

/** What the hub gives a companion. */
export type WakeView = NonNullable<OutputOf<typeof operations.awaitWake>['wake']>;

const charsMax = 500;

/** It may become an argument of a command, so it never looks like an option. */
export function wakeText({ text }: WakeView): string {
  const line = oneLine(text).slice(0, charsMax);
  return line.startsWith('-') ? `Coterie: ${line}` : line;
}
