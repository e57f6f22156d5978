// Base64 to bytes and back. The contract only checks it: browsers use that, and have no Buffer.
import { bytesIn } from '../../contract/content/base64.js';

/** Into a buffer of its own, never one of Node's shared pool: it moves to another thread. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(bytesIn(base64));
  Buffer.from(bytes.buffer).write(base64, 'base64');
  return bytes;
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
