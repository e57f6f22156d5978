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

/** More edits are no typo, however long the name is. */
const editsMax = 8;

function editsIn({ length }: string): number {
  return Math.min(editsMax, Math.max(2, Math.floor(length / 3)));
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
    const distance = editDistance(wanted, name.toLowerCase(), allowed);
    if (distance <= allowed) scored.push({ name, distance });
  }
  return scored
    .toSorted((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, count)
    .map(({ name }) => name);
}

/**
 * Levenshtein distance, where two neighbours swapped count as one edit; Infinity above `allowed`. A session may have ten
 * thousand names to compare with, so it reads only as much of each as can still be similar.
 */
function editDistance(a: string, b: string, allowed: number): number {
  if (Math.abs(a.length - b.length) > allowed) return Infinity;
  let beforeThat: number[] = [];
  // A swap looks two rows back, so two rows must be beyond it.
  let leastBefore = 0;
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    // Cells further from the diagonal cost more than is allowed.
    const first = Math.max(1, row - allowed);
    const last = Math.min(b.length, row + allowed);
    const current: number[] = [];
    current[first - 1] = first === 1 ? row : Infinity;
    let least = current[first - 1] ?? Infinity;
    for (let column = first; column <= last; column++) {
      const substituted = (previous[column - 1] ?? Infinity) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? (beforeThat[column - 2] ?? Infinity) + 1 : Infinity;
      const inserted = (current[column - 1] ?? Infinity) + 1;
      current[column] = Math.min(substituted, swapped, (previous[column] ?? Infinity) + 1, inserted);
      least = Math.min(least, current[column] ?? Infinity);
    }
    if (least > allowed && leastBefore > allowed) return Infinity;
    leastBefore = least;
    beforeThat = previous;
    previous = current;
  }
  return previous[b.length] ?? Infinity;
}
