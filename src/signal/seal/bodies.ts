// Texts in the forms in which they are stored: plain, or in a box of the hub.
import type { HubSecret } from '../../ports/hub-secret.js';
import type { StoredBody } from '../../ports/signal.js';

/** Which text it is: a box that was moved elsewhere in the database does not open. */
export interface BodyPlace {
  sessionId: string;
  id: string;
  part: 'content' | 'answer' | 'default';
}

export function plainBody(value: object): StoredBody {
  return { form: 'plain', json: JSON.stringify(value) };
}

export function boxBody(secret: Pick<HubSecret, 'box'>, place: BodyPlace, value: object): StoredBody {
  return { form: 'box', box: secret.box('signal', JSON.stringify([...placeOf(place), value])) };
}

/** Null if it does not open, or is an envelope. */
export function openBody(secret: Pick<HubSecret, 'unbox'>, place: BodyPlace, body: StoredBody): unknown {
  if (body.form === 'plain') return JSON.parse(body.json);
  if (body.form === 'envelope') return null;
  try {
    const parts: unknown = JSON.parse(secret.unbox('signal', body.box));
    if (!Array.isArray(parts)) return null;
    return placeOf(place).every((name, index) => parts[index] === name) ? parts.at(-1) : null;
  } catch {
    return null;
  }
}

function placeOf({ sessionId, id, part }: BodyPlace): string[] {
  return [sessionId, id, part];
}
