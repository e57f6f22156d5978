// Contenders in turns within one run: whatever disturbs the machine disturbs all of them. Who goes first changes with every
// round. Figures are medians with their spread, and ratios are made within a round.

/**
 * `contenders` maps a name to a function that measures once. Returns the figures of each by name, in the order of rounds.
 * The first round warms up and is not counted.
 */
export async function inTurns(contenders, rounds) {
  const names = Object.keys(contenders);
  const figures = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    const first = (round + 1) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const figure = await contenders[name]();
      if (round >= 0) figures[name].push(figure);
    }
  }
  return figures;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 0 ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[Math.floor(middle)];
}

/** `1.02 (0.95–1.10)`: the median, then the smallest and the largest. */
export function spread(values, digits = 0) {
  const shown = [median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return `${shown[0]} (${shown[1]}–${shown[2]})`;
}

/** The ratios of two contenders, round by round. */
export function ratios(figures, base) {
  return figures.map((figure, round) => figure / base[round]);
}
