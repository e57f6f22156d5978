// The one rule by which several speakers in one text cannot be mistaken for one another: a backslash goes in where a
// text would make a mark of its own. Two places, and no others:
//   before the colon of a line start that looks like a speaker's mark, `[anything]:` or a speaker's or role's `name:`;
//   behind the `<` of a history tag.
import type { Speakers } from './speakers.js';

// Every character some reader may take for the end of a line.
const lineEnds = /([\n\r\v\f\u0085\u2028\u2029]+)/;

// What may stand around a mark without hiding it: spaces, invisible characters, quotes, stars, list dashes.
const bracketMark = /^[^\p{L}\p{N}[［【]*[[［【][^\]］】]*[\]］】][^\p{L}\p{N}:：]{0,8}(?=[:：])/u;
const nameMark = /^[^\p{L}\p{N}]*[^:：]{1,160}(?=[:：])/u;
const historyTag = /<(?=[\s\p{Cf}/]*history(?![\p{L}\p{N}]))/giu;

export function forgeProof(text: string, speakers: Speakers): string {
  const isTagged = text.includes('<');
  const isMarked = text.includes(':') || text.includes('：');
  if (!isTagged && !isMarked) return text;
  const marked = isMarked ? unmarkLines(text, speakers) : text;
  return isTagged ? marked.replaceAll(historyTag, '<\\') : marked;
}

function unmarkLines(text: string, speakers: Speakers): string {
  // Every second entry is a line's end.
  return text
    .split(lineEnds)
    .map((line, index) => (index % 2 === 0 ? unmarkLine(line, speakers) : line))
    .join('');
}

function unmarkLine(line: string, speakers: Speakers): string {
  const [bracketed] = bracketMark.exec(line) ?? [];
  if (bracketed !== undefined) return withBackslash(line, bracketed.length);
  const [named] = nameMark.exec(line) ?? [];
  return named !== undefined && speakers.isSpeaker(named) ? withBackslash(line, named.length) : line;
}

function withBackslash(line: string, place: number): string {
  return `${line.slice(0, place)}\\${line.slice(place)}`;
}
