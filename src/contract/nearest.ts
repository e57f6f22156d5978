// Finds the known names most similar to a mistyped one, for hints.

/** Longer input is no typo, and comparing it would be slow. */
const givenCharsMax = 64;
const shortChars = 4;

/** At most `count` of `known`, most similar first; empty when none is similar. */
export function nearest(given: string, known: Iterable<string>, count = 1): string[] {
  return within(editsIn(given), given, { known, count });
}

/** The same for agents and groups, whose ids are often short: of `dan` two edits make `ben`, who is someone else. */
export function nearestIds(given: string, ids: Iterable<string>, count = 1): string[] {
  return within(given.length <= shortChars ? 1 : editsIn(given), given, { known: ids, count });
}

function editsIn({ length }: string): number {
  return Math.max(2, Math.floor(length / 3));
}

function within(
  allowed: number,
  given: string,
  { known, count }: { known: Iterable<string>; count: number },
): string[] {
  if (given.length > givenCharsMax) return [];
  const wanted = given.toLowerCase();
  const scored: { name: string; distance: number }[] = [];
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance <= allowed) scored.push({ name, distance });
  }
  return scored
    .toSorted((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, count)
    .map(({ name }) => name);
}

/** Levenshtein distance, where two neighbours swapped count as one edit; fast enough for 64 characters. */
function editDistance(a: string, b: string): number {
  let beforeThat: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? (beforeThat[column - 2] ?? Infinity) + 1 : Infinity;
      current.push(Math.min(substituted, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforeThat = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
