// A paragraph of ours in a file of instructions, between two markers that no one sees in the rendered text.
import { lineAt, lineBreakOf, NotEditable, spliced } from './text.js';

const begin = '<!-- coterie: written by `coterie init`, which updates it -->';
const end = '<!-- /coterie -->';

export function setParagraph(text: string, paragraph: string): string {
  const lineBreak = lineBreakOf(text);
  const written = [begin, ...paragraph.split('\n'), end].join(lineBreak);
  const found = find(text);
  if (found !== undefined) return spliced(text, [{ ...found, text: written }]);
  const isEnded = text === '' || text.endsWith('\n');
  const gap = text.trim() === '' ? '' : lineBreak;
  return `${text}${isEnded ? '' : lineBreak}${gap}${written}${lineBreak}`;
}

export function removeParagraph(text: string): string {
  const found = find(text);
  if (found === undefined) return text;
  const lineBreak = lineBreakOf(text);
  const before = text.slice(0, found.from);
  const after = text.slice(found.to);
  // With the line break after it, and the empty line that was put before it.
  const rest = after.startsWith(lineBreak) ? after.slice(lineBreak.length) : after;
  const isLast = rest === '' && before.endsWith(lineBreak + lineBreak);
  return (isLast ? before.slice(0, -lineBreak.length) : before) + rest;
}

function find(text: string): { from: number; to: number } | undefined {
  const from = text.indexOf(begin);
  if (from === -1) return undefined;
  const to = text.indexOf(end, from);
  if (to === -1) throw new NotEditable(`the paragraph of Coterie has no end: ${end} is missing`, lineAt(text, from));
  return { from, to: to + end.length };
}
