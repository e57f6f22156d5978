// Replaces lone surrogates, which the database does not accept. Truncated words and labels may have them.
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}
