// A place in a list of messages, as callers name it: a seq, a message id, or the cursor of an earlier answer.
import { decodeCursor } from '../../contract/cursor.js';
import { HubError } from '../../contract/errors.js';

/** The seq in a cursor. */
export function seqInCursor(field: string, text: string): number {
  const cursor = decodeCursor(text);
  const [after] = cursor?.kind === 'position' ? cursor.after : [];
  if (typeof after !== 'number') throw notAPosition(field);
  return after;
}

export function notAPosition(field: string): HubError {
  return new HubError('INVALID_INPUT', `${field}: is not a position in this list.`, {
    hint: 'Use the cursor of an earlier answer, a message id or a seq.',
    details: { field },
  });
}
