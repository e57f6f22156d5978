// Validates base64: by decoding and encoding it again where the runtime does that fast, else character by character.
// No regular expression that could backtrack, and only one slice at a time.

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const valueOf = new Int8Array(128).fill(-1);
for (let value = 0; value < digits.length; value += 1) valueOf[digits.charCodeAt(value)] = value;

/** Complete groups of four, padded, without whitespace, and with unused bits zero. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  for (let start = 0; start < text.length; start += sliceChars) {
    if (!isSliceBase64(text.slice(start, start + sliceChars), start + sliceChars >= text.length)) return false;
  }
  return true;
}

const sliceChars = 64 * 1024;

/** Undefined in browsers, which have no equally fast decoder everywhere. */
const node: { Buffer?: Pick<BufferConstructor, 'from'> } = globalThis;

function isSliceBase64(slice: string, isLast: boolean): boolean {
  if (!isLast && slice.endsWith('=')) return false;
  if (node.Buffer === undefined) return hasValidDigits(slice);
  // Buffer decodes nearly anything; encoding again shows what it skipped or read differently.
  return node.Buffer.from(slice, 'base64').toString('base64') === slice;
}

function hasValidDigits(text: string): boolean {
  const padding = paddingOf(text);
  const end = text.length - padding;
  for (let index = 0; index < end; index += 1) {
    if ((valueOf[text.charCodeAt(index)] ?? -1) < 0) return false;
  }
  // The last digit before padding has unused bits: two for `=`, four for `==`.
  const spare = (1 << (padding * 2)) - 1;
  return ((valueOf[text.charCodeAt(end - 1)] ?? 0) & spare) === 0;
}

/** The decoded size, computed from the length alone. */
export function bytesIn(base64: string): number {
  return Math.floor((base64.length * 3) / 4) - paddingOf(base64);
}

function paddingOf(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}
