// Finds the known names most similar to a mistyped one, for hints.

/** Longer input is no typo, and comparing it would be slow. */
const givenCharsMax = 64;

/** At most `count` of `known`, most similar first; empty when none is similar. */
export function nearest(given: string, known: Iterable<string>, count = 1): string[] {
  if (given.length > givenCharsMax) return [];
  const wanted = given.toLowerCase();
  const allowed = Math.max(2, Math.floor(wanted.length / 3));
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

/** Levenshtein distance; the simple algorithm is fast enough for 64 characters. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
