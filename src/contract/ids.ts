// Id formats. A message id is derived from its seq, so it sorts by seq and needs no index.
import { z } from 'zod';
import { text } from './fields.js';

export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const idForm = 'a letter or digit, then up to 63 letters, digits, dots, underscores or dashes';

/** The sender of the hub's own messages. No caller may use it. */
export const systemAgentId = 'system';
/** Where a person puts the name of an agent. Whoever leaves it as it is would share mail with others who did. */
export const placeholderId = 'YOUR-NAME';
export const everyoneGroup = 'all';
export const defaultGroups = ['council', 'builders', 'intelligence'] as const;
export const defaultSessionId = 'default';

/** `@ben` is how agents write the id `ben` in a text. */
export function withoutAt(id: string): string {
  return id.startsWith('@') ? id.slice(1) : id;
}

export const participantId = z.string().overwrite(withoutAt).regex(idPattern, `must be ${idForm}`);
/** Of a thread that was created; any other threadId is a label that groups messages. */
export const threadIdPattern = /^t\d{12}$/;
/** An id or a title. A thread that was never created is only a label, so any short text is valid. */
export const threadRef = text('titleChars').min(1);
export const messageRef = z.string().min(1).max(32);
export const deadLetterRef = z.string().min(1).max(32);

/** At most a hundred billion messages per session keep ids within 16 characters. */
const lengthLetters = 'abcdefghijk';
const tagLetters = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * `m`, a letter for the number of digits (so that ids sort by seq), the seq, and a three-letter tag derived from the
 * session: an id from another session is then unknown instead of naming a different message.
 */
export function messageIdOf(seq: number, sessionSalt: number): string {
  const digits = String(seq);
  const letter = lengthLetters[digits.length - 1];
  if (letter === undefined) throw new Error(`seq ${seq} has no id`);
  return `m${letter}${digits}${tagOf(seq, sessionSalt)}`;
}

/** The seq of an id of this session, or undefined for any other text. */
export function seqOfMessageId(id: string, sessionSalt: number): number | undefined {
  const match = /^m[a-k](\d{1,11})[0-9a-z]{3}$/.exec(id);
  if (match?.[1] === undefined) return undefined;
  const seq = Number(match[1]);
  return seq > 0 && messageIdOf(seq, sessionSalt) === id ? seq : undefined;
}

/** A 15-bit hash: a wrong session passes once in 32,768. The tag protects against mistakes, not attackers. */
function tagOf(seq: number, salt: number): string {
  let mixed = Math.imul(seq ^ salt, 0x9e3779b1) ^ Math.floor(seq / 0x1_0000_0000);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = (mixed ^ (mixed >>> 13)) >>> 0;
  return `${tagLetters[mixed & 31]}${tagLetters[(mixed >>> 5) & 31]}${tagLetters[(mixed >>> 10) & 31]}`;
}

/** `d` and a number that is never reused: the id of a replayed or discarded letter stays unknown. */
export function deadLetterIdOf(number: number): string {
  return `d${number}`;
}

/** The number of a dead letter id, or undefined for any other text. */
export function numberOfDeadLetterId(id: string): number | undefined {
  return /^d[1-9]\d{0,14}$/.test(id) ? Number(id.slice(1)) : undefined;
}
