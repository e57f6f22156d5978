// The part of a found text that shows why it was found, with the found words marked **so**.
import { occurrences, tokensOf, type SearchTerm, type Token } from './search-text.js';

const snippetChars = 160;
/** How much of a text is split into words at once. */
const sectionChars = 8_000;
/** How much text is shown before the first marked word. */
const leadChars = 40;

interface Mark {
  term: SearchTerm;
  start: number;
  end: number;
}

export function snippetOf(terms: readonly SearchTerm[], text: string): string {
  const { marks, start } = bestSection(terms, text);
  const from = start <= leadChars ? 0 : wordStart(text, start - leadChars, start);
  const to = text.length - from <= snippetChars ? text.length : wordEnd(text, from + snippetChars);
  const shown = marks
    .filter((mark) => mark.start >= from && mark.start < to)
    .map((mark) => ({ ...mark, end: Math.min(mark.end, to) }));
  const marked = `${from > 0 ? '…' : ''}${markWords(text, shown, { from, to })}${to < text.length ? '…' : ''}`;
  return marked.replaceAll(/\s+/g, ' ').trim();
}

interface Passage {
  terms: number;
  start: number;
}

/** A long text is split into words section by section, up to the first passage with all terms. */
function bestSection(terms: readonly SearchTerm[], text: string): Passage & { marks: Mark[] } {
  let best: Passage & { marks: Mark[] } = { terms: 0, start: 0, marks: [] };
  for (let at = 0; at < text.length; at += sectionChars) {
    const from = at === 0 ? 0 : wordStart(text, at - snippetChars, at);
    const section = text.slice(from, at + sectionChars);
    const marks = marksOf(terms, tokensOf(section)).map((mark) => ({
      ...mark,
      start: mark.start + from,
      end: mark.end + from,
    }));
    const passage = bestPassage(marks, terms.length);
    if (passage.terms > best.terms) best = { ...passage, marks };
    if (best.terms === terms.length) break;
  }
  return best;
}

function marksOf(terms: readonly SearchTerm[], tokens: readonly Token[]): Mark[] {
  const words = tokens.map(({ word }) => word);
  const marks = terms.flatMap((term) =>
    occurrences(term, words).flatMap((at) => {
      const [first, last] = [tokens[at], tokens[at + term.words.length - 1]];
      return first === undefined || last === undefined ? [] : [{ term, start: first.start, end: last.end }];
    }),
  );
  return marks.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** The first passage that holds the most terms. */
function bestPassage(marks: readonly Mark[], termsMax: number): Passage {
  let best: Passage = { terms: 0, start: 0 };
  for (const [index, { start }] of marks.entries()) {
    const near = marks.slice(index, index + 32).filter((mark) => mark.start - start <= snippetChars - leadChars);
    const terms = new Set(near.map(({ term }) => term)).size;
    if (terms > best.terms) best = { terms, start };
    if (best.terms === termsMax) break;
  }
  return best;
}

/** Start of the first word after `from`, so that no word is cut. */
function wordStart(text: string, from: number, before: number): number {
  const space = text.slice(from, before).search(/\s/);
  return space < 0 ? from : from + space + 1;
}

function wordEnd(text: string, to: number): number {
  const space = text.slice(to - leadChars, to).search(/\s\S*$/);
  return space < 0 ? to : to - leadChars + space;
}

function markWords(text: string, marks: readonly Mark[], { from, to }: { from: number; to: number }): string {
  let marked = '';
  let at = from;
  for (const { start, end } of marks) {
    if (start < at) continue;
    marked += `${text.slice(at, start)}**${text.slice(start, end)}**`;
    at = end;
  }
  return marked + text.slice(at, to);
}
