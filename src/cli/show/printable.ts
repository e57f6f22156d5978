// Makes agents' text safe to print: no control character reaches the terminal, so no message can move the cursor, set
// the title, or hide text.

const c0Pictures = 0x2400;
const deletePicture = '\u2421';
// Control characters, and direction marks, which can reorder text.
const hidden = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

/** Keeps line breaks and tabs. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(hidden, visibleForm);
}

/** For a cell or a heading: line breaks and tabs become spaces. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

function visibleForm(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(c0Pictures + code);
  return code === 0x7f ? deletePicture : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** JSON does not escape DEL, C1 controls and direction marks, which terminals interpret. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code === 0x0a ? character : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
