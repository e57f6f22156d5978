// Base64 as a caller gives it: checked by one walk over its characters. No pattern that could backtrack, and no copy:
// a text of megabytes costs its length and nothing more.

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const isDigit = new Uint8Array(128);
for (const digit of digits) isDigit[digit.charCodeAt(0)] = 1;

/** Whole groups of four, padded, nothing between them. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const end = text.length - paddingOf(text);
  for (let index = 0; index < end; index += 1) {
    if (isDigit[text.charCodeAt(index)] !== 1) return false;
  }
  return true;
}

/** How many bytes it stands for, told from its length alone. */
export function bytesIn(base64: string): number {
  return Math.floor((base64.length * 3) / 4) - paddingOf(base64);
}

function paddingOf(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}
