// A change as lines with + and -, as `diff -u` shows it.
import { paint } from '../show/paint.js';
import { printable } from '../show/printable.js';
import { shortPath } from '../show/short-path.js';
import type { Change } from './plan.js';

const contextLines = 2;
/** Pairs of lines that are compared; beyond it, all between the common beginning and end is shown as changed. */
const pairsMax = 1_000_000;

type Mark = ' ' | '-' | '+';
type Line = readonly [Mark, string];

export function diffLines({ path, before, after }: Change): string[] {
  const title = `${shortPath(path)}${before === null ? ' (new)' : after === null ? ' (removed)' : ''}`;
  const lines = compare(linesOf(before), linesOf(after));
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(([mark]) => mark !== ' '),
  );
  const shown = lines.flatMap(([mark, text], at) => {
    if (isNear[at] !== true) return at > 0 && isNear[at - 1] === true ? [paint('dim', '  …')] : [];
    const line = `${mark} ${printable(text)}`;
    return [mark === ' ' ? line : paint(mark === '+' ? 'green' : 'red', line)];
  });
  return [paint('bold', printable(title)), ...shown, ''];
}

const same = (text: string): Line => [' ', text];

function compare(old: readonly string[], now: readonly string[]): Line[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(0, head).map(same),
    ...between(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
}

/** By the longest common subsequence. */
function between(old: readonly string[], now: readonly string[]): Line[] {
  const [rows, columns] = [old.length, now.length];
  if (rows * columns > pairsMax) {
    return [...old.map((text): Line => ['-', text]), ...now.map((text): Line => ['+', text])];
  }
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    if (row < rows && column < columns && old[row] === now[column]) {
      lines.push([' ', old[row] ?? '']);
      [row, column] = [row + 1, column + 1];
    } else if (row < rows && (column === columns || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(['-', old[row] ?? '']);
      row += 1;
    } else {
      lines.push(['+', now[column] ?? '']);
      column += 1;
    }
  }
  return lines;
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
