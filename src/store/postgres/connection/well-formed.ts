// A cut may leave half a character at the end of a word, and a label may be anything: the database takes neither.
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}
