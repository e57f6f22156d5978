// Pads a text to blocks (ISO 7816-4), so that its length says little about it.
import type { Bytes } from './bytes.js';
import { EnvelopeError } from './envelope-error.js';

const blockBytes = 256;
const endMark = 0x80;

export function pad(bytes: Bytes): Bytes {
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / blockBytes) * blockBytes);
  padded.set(bytes);
  padded[bytes.length] = endMark;
  return padded;
}

export function unpad(padded: Bytes): Bytes {
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (end === -1 || padded[end] !== endMark) throw new EnvelopeError('unreadable', 'The padding is wrong.');
  return padded.slice(0, end);
}
