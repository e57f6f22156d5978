// How much of history one search looks at, and which of the hits are its page. Pure, so that every store pages the same.
import type { SearchPlace, SearchQuery } from '../../ports/history.js';

export interface Hit {
  seq: number;
  text: string;
  score: number;
}

/** A stretch ends after so many hits, messages or characters: what a call may cost. */
export const stretchMax = { hits: 200, messages: 500, chars: 500_000 } as const;

interface StretchWork {
  hits: readonly Hit[];
  messages: number;
  chars: number;
}

export function isEnough({ hits, messages, chars }: StretchWork, floor: number | null): boolean {
  const isDone = hits.length >= stretchMax.hits || messages >= stretchMax.messages || chars >= stretchMax.chars;
  // An earlier page has done this work within its bounds; a floor that was made up must not undo them.
  return isDone && (floor === null || hits.length > stretchMax.hits * 2);
}

/** The best that were not shown yet, and where the next page begins. */
export function pageOf<AHit extends Hit>(
  { place, limit }: Pick<SearchQuery, 'place' | 'limit'>,
  { top, floor }: { top: number; floor: number },
  hits: readonly AHit[],
): { page: AHit[]; next: SearchPlace | null } {
  const shown = place?.shown ?? null;
  const left = hits
    .filter(({ score, seq }) => shown === null || score < shown.score || (score === shown.score && seq < shown.seq))
    .toSorted((a, b) => b.score - a.score || b.seq - a.seq);
  const page = left.slice(0, limit);
  const last = page.at(-1);
  if (left.length > page.length && last !== undefined) {
    return { page, next: { top, shown: { floor, score: last.score, seq: last.seq } } };
  }
  return { page, next: floor > 1 ? { top: floor - 1, shown: null } : null };
}
