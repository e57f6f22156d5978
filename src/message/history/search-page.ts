// How much of history one search reads, and which of the hits are its page. Pure, so that every store pages the same.
import type { SearchPosition, SearchQuery } from '../../ports/history.js';

export interface Hit {
  seq: number;
  text: string;
  score: number;
}

/** A window ends after so many hits, messages or characters: the limit on what a call costs. */
export const windowMax = { hits: 200, messages: 500, chars: 500_000 } as const;

interface WindowWork {
  hits: readonly Hit[];
  messages: number;
  chars: number;
}

export function isEnough({ hits, messages, chars }: WindowWork, floor: number | null): boolean {
  // A floor comes from an earlier page, which stayed within the limits; a forged one must not lift them.
  const times = floor === null ? 1 : 2;
  return (
    hits.length >= windowMax.hits * times || messages >= windowMax.messages * times || chars >= windowMax.chars * times
  );
}

/** The best hits not shown yet, and the position of the next page. */
export function pageOf<AHit extends Hit>(
  { position, limit }: Pick<SearchQuery, 'position' | 'limit'>,
  { top, floor }: { top: number; floor: number },
  hits: readonly AHit[],
): { page: AHit[]; next: SearchPosition | null } {
  const shown = position?.shown ?? null;
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

/** How many candidates a store reads with one statement. */
export const candidatesAtOnce = 256;
/** How many messages the first look at the word index covers; it widens while looks are quick. */
export const narrowestWindow = 10_000;
