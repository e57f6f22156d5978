// The forms ids take. A message id is made from its seq, so it sorts by seq and needs no index of its own.
import { z } from 'zod';

export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const idForm = 'a letter or digit, then up to 63 letters, digits, dots, underscores or dashes';

/** The hub's own sender. No caller can be it. */
export const systemAgentId = 'system';
export const everyoneGroup = 'all';
export const foundingGroups = ['council', 'builders', 'intelligence'] as const;
export const defaultSessionId = 'default';

export const participantId = z.string().regex(idPattern, `must be ${idForm}`);
/** Threads no one created are labels, so any short text passes here. */
export const threadRef = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\0]*$/, 'must not contain a NUL character');
export const messageRef = z.string().min(1).max(32);
export const deadLetterRef = z.string().min(1).max(32);

/** Up to a hundred billion messages in a session, so that an id never has more than 16 characters. */
const lengthLetters = 'abcdefghijk';
const tagLetters = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * `m`, a letter for the number of digits (so that ids sort as their seq does), the seq, and a three-letter tag
 * that depends on the session: an id from another session is then an unknown id, not somebody else's message.
 */
export function messageIdOf(seq: number, sessionSalt: number): string {
  const digits = String(seq);
  const letter = lengthLetters[digits.length - 1];
  if (letter === undefined) throw new Error(`seq ${seq} has no id`);
  return `m${letter}${digits}${tagOf(seq, sessionSalt)}`;
}

/** The seq an id stands for in this session, or undefined when it is not one of its ids. */
export function seqOfMessageId(id: string, sessionSalt: number): number | undefined {
  const match = /^m[a-k](\d{1,11})[0-9a-z]{3}$/.exec(id);
  if (match?.[1] === undefined) return undefined;
  const seq = Number(match[1]);
  return seq > 0 && messageIdOf(seq, sessionSalt) === id ? seq : undefined;
}

/** Three letters of a mixed hash: a wrong session passes once in 32,768. The tag guards against mistakes, not attackers. */
function tagOf(seq: number, salt: number): string {
  let mixed = Math.imul(seq ^ salt, 0x9e3779b1) ^ Math.floor(seq / 0x1_0000_0000);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = (mixed ^ (mixed >>> 13)) >>> 0;
  return `${tagLetters[mixed & 31]}${tagLetters[(mixed >>> 5) & 31]}${tagLetters[(mixed >>> 10) & 31]}`;
}

/** `d` and a number that is never used again: a letter that was replayed or discarded stays unknown. */
export function deadLetterIdOf(number: number): string {
  return `d${number}`;
}

/** The number an id stands for, or undefined when it is none of ours. */
export function numberOfDeadLetterId(id: string): number | undefined {
  return /^d[1-9]\d{0,14}$/.test(id) ? Number(id.slice(1)) : undefined;
}
