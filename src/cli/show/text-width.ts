// The width of text in terminal columns, so that tables stay aligned with names in any script.

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// East Asian wide and full-width characters, and symbols drawn as emoji.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const plain = /^[\u0020-\u007e]*$/;

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += columnsOf(segment);
  return width;
}

function columnsOf(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return /^\p{M}+$/u.test(grapheme) ? 0 : 1;
}

/** Truncated to `columns`, with an ellipsis. */
export function truncateTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += columnsOf(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function padTo(text: string, columns: number, side: 'left' | 'right' = 'right'): string {
  const gap = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return side === 'right' ? text + gap : gap + text;
}

/** Wraps a line between words; the terminal breaks a word longer than a line. */
export function wrapTo(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(last) + 1 + widthOf(word) > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
