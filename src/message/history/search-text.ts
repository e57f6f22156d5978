// Splits text into words without case and accents, the same for the index, the query and the check of each message
// found. Pure, so that every store finds the same.
import type { ContentBlock } from '../../contract/content-block.js';

/** Consecutive words; the last one may be a prefix. */
export interface SearchTerm {
  words: string[];
  isPrefix: boolean;
}

export interface Token {
  word: string;
  start: number;
  end: number;
}

/** Longer words are truncated, in the index and in the query. */
const wordCharsMax = 64;
/** The shortest prefix that can be searched. */
const prefixChars = 3;

// Scripts without spaces between words: each character is a word, and a run of them in a query must be consecutive.
const solid = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}`;
const anyWord = new RegExp(String.raw`[${solid}]|(?:(?![${solid}])[\p{L}\p{N}\p{M}])+`, 'gu');
const asciiWord = /[A-Za-z0-9]+/g;
const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(isAscii(text) ? asciiWord : anyWord)) {
    const word = fold(match[0]);
    if (word !== '') tokens.push({ word, start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/** The words alone. */
export function wordsOf(text: string): string[] {
  if (isAscii(text)) return (text.toLowerCase().match(asciiWord) ?? []).map(cut);
  return (text.match(anyWord) ?? []).map(fold).filter((word) => word !== '');
}

function fold(written: string): string {
  const lower = written.toLowerCase();
  const folded = isAscii(lower) ? lower : lower.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return cut(folded);
}

function cut(word: string): string {
  return word.length > wordCharsMax ? word.slice(0, wordCharsMax) : word;
}

/**
 * A query is a list of words. Words in "quotes", and words joined without a space such as PR-12, must be consecutive. A
 * star after three letters or more makes a prefix. No query is invalid, but one may contain no word.
 */
export function parseSearchQuery(query: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  for (const [written, quoted] of query.matchAll(/"([^"]*)"?\*?|[^\s"]+/g)) {
    const words = wordsOf(quoted ?? written);
    const isPrefix = written.endsWith('*') && prefixKeyOf(words.at(-1) ?? '') !== undefined;
    if (words.length > 0) terms.set(`${words.join(' ')}${isPrefix ? '*' : ''}`, { words, isPrefix });
  }
  return [...terms.values()];
}

/** A word's key in the prefix index; undefined if the word is too short. */
export function prefixKeyOf(word: string): string | undefined {
  const letters = Array.from(word);
  return letters.length < prefixChars ? undefined : letters.slice(0, prefixChars).join('');
}

export interface Searchable {
  content: readonly ContentBlock[];
  context: string | null;
  shareThinking: boolean;
}

/** The text of a message as its readers see it. Thinking that is not shared cannot be found, not even by its author. */
export function searchableText({ content, context, shareThinking }: Searchable): string {
  const parts = content.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return [block.text];
      case 'thinking':
        return shareThinking ? [block.thinking] : [];
      case 'tool_use':
        return [`${block.name} ${JSON.stringify(block.input)}`];
      case 'tool_result':
        return typeof block.output === 'string'
          ? [block.output]
          : block.output.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      case 'image':
      case 'audio':
      case 'video':
        return [];
    }
  });
  return [...(context === null ? [] : [context]), ...parts].join('\n');
}

/** Indexes in the list of words at which the term begins. */
export function occurrences({ words, isPrefix }: SearchTerm, text: readonly string[]): number[] {
  const [first] = words;
  if (first === undefined) return [];
  const last = words.length - 1;
  const found: number[] = [];
  const isSinglePrefix = isPrefix && last === 0;
  for (let at = 0; at + last < text.length; at++) {
    if (text[at] !== first && !isSinglePrefix) continue;
    const follows = words.every((word, index) =>
      isPrefix && index === last ? text[at + index]?.startsWith(word) : text[at + index] === word,
    );
    if (follows) found.push(at);
  }
  return found;
}

// BM25 without inverse document frequency: every term must occur, so it would not change the order within a query.
const saturation = 1.2;
const lengthWeight = 0.75;
const averageWords = 60;

/** Relevance of a text, as a whole number; null when a term is missing. */
export function scoreText(terms: readonly SearchTerm[], text: readonly string[]): number | null {
  const lengthFactor = saturation * (1 - lengthWeight + (lengthWeight * text.length) / averageWords);
  let score = 0;
  for (const term of terms) {
    const count = occurrences(term, text).length;
    if (count === 0) return null;
    score += (count * (saturation + 1)) / (count + lengthFactor);
  }
  return Math.round(score * 1_000);
}
