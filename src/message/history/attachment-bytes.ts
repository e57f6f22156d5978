// Base64 to bytes and back. The contract only validates base64: it also runs in browsers, which have no Buffer.
import { bytesIn } from '../../contract/content/base64.js';

/** Into its own ArrayBuffer, never Node's shared pool: it is transferred to another thread. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(bytesIn(base64));
  Buffer.from(bytes.buffer).write(base64, 'base64');
  return bytes;
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
