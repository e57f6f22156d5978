// Base64 as a caller gives it: checked by decoding and encoding it again where the runtime is fast at that, else by one
// walk over its characters. No pattern that could backtrack, and never more than a slice of it at a time.

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const valueOf = new Int8Array(128).fill(-1);
for (let value = 0; value < digits.length; value += 1) valueOf[digits.charCodeAt(value)] = value;

/** Whole groups of four, padded, nothing between them, and no bits that stand for nothing. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  for (let start = 0; start < text.length; start += sliceChars) {
    if (!isSliceBase64(text.slice(start, start + sliceChars), start + sliceChars >= text.length)) return false;
  }
  return true;
}

const sliceChars = 64 * 1024;

/** Browsers have none, and decode as fast as the hub has to only in ways that are not everywhere yet. */
const node: { Buffer?: Pick<BufferConstructor, 'from'> } = globalThis;

function isSliceBase64(slice: string, isLast: boolean): boolean {
  if (!isLast && slice.endsWith('=')) return false;
  if (node.Buffer === undefined) return isSpelledRight(slice);
  // It decodes nearly anything: what it left out or read another way shows when it is encoded again.
  return node.Buffer.from(slice, 'base64').toString('base64') === slice;
}

function isSpelledRight(text: string): boolean {
  const padding = paddingOf(text);
  const end = text.length - padding;
  for (let index = 0; index < end; index += 1) {
    if ((valueOf[text.charCodeAt(index)] ?? -1) < 0) return false;
  }
  // The last digit before padding has bits to spare: two for one =, four for two.
  const spare = (1 << (padding * 2)) - 1;
  return ((valueOf[text.charCodeAt(end - 1)] ?? 0) & spare) === 0;
}

/** How many bytes it stands for, told from its length alone. */
export function bytesIn(base64: string): number {
  return Math.floor((base64.length * 3) / 4) - paddingOf(base64);
}

function paddingOf(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}
