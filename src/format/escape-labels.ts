// Prevents impersonation when several speakers share one text: a backslash is inserted where a text would forge a
// speaker label. In two cases only:
//   before the colon of a line start that looks like a label, `[anything]:` or a speaker's or role's `name:`;
//   after the `<` of a history tag.
import type { Speakers } from './speakers.js';

// Every character that a model may read as a line break.
const lineEnds = /([\n\r\v\f\u0085\u2028\u2029]+)/;

// A label may be surrounded by spaces, invisible characters, quotes, asterisks and list dashes.
const bracketLabel = /^[^\p{L}\p{N}[［【]*[[［【][^\]］】]*[\]］】][^\p{L}\p{N}:：]{0,8}(?=[:：])/u;
const letter = /[\p{L}\p{N}]/u;
const colon = /[:：]/;
const nameCharsMax = 320;
const historyTag = /<(?=[\s\p{Cf}/]*history(?![\p{L}\p{N}]))/giu;

export function escapeLabels(text: string, speakers: Speakers): string {
  const hasTag = text.includes('<');
  const hasColon = text.includes(':') || text.includes('：');
  if (!hasTag && !hasColon) return text;
  const escaped = hasColon ? escapeLines(text, speakers) : text;
  return hasTag ? escaped.replaceAll(historyTag, '<\\') : escaped;
}

function escapeLines(text: string, speakers: Speakers): string {
  // Every second entry is a line break.
  return text
    .split(lineEnds)
    .map((line, index) => (index % 2 === 0 ? escapeLine(line, speakers) : line))
    .join('');
}

function escapeLine(line: string, speakers: Speakers): string {
  const [bracketed] = bracketLabel.exec(line) ?? [];
  if (bracketed !== undefined) return withBackslash(line, bracketed.length);
  const end = nameEnd(line);
  return end > 0 && speakers.isSpeaker(line.slice(0, end)) ? withBackslash(line, end) : line;
}

/**
 * Where a name may end: at the first colon after the first letter, or else at the last colon before it, as some symbols
 * look like letters. Reads the line once; a pattern for both would try every start.
 */
function nameEnd(line: string): number {
  const start = line.search(letter);
  const name = start < 0 ? '' : line.slice(start, start + nameCharsMax + 1);
  const length = name.search(colon);
  if (length > 0) return start + length;
  const before = start < 0 ? line : line.slice(0, start);
  return Math.max(before.lastIndexOf(':'), before.lastIndexOf('：'));
}

function withBackslash(line: string, index: number): string {
  return `${line.slice(0, index)}\\${line.slice(index)}`;
}
