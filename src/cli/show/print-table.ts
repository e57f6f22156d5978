// Aligned columns. On a terminal columns are truncated so that a row stays on one line; in a pipe nothing is.
import { paint, type Style } from './paint.js';
import { truncateTo, padTo, widthOf } from './text-width.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Truncated first when a row is too long. */
  readonly mayShrink?: boolean;
  readonly style?: (cell: string) => Style | undefined;
}

const gap = '  ';
const shrunkMin = 8;

/** Lines without line breaks; the first is the heading. Cells must already be printable. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  columnsMax: number | undefined = process.stdout.isTTY ? process.stdout.columns : undefined,
): string[] {
  const widths = columns.map(({ title }, index) => {
    return Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? '')));
  });
  if (columnsMax !== undefined) shrink(columns, widths, columnsMax);
  const line = (cells: readonly string[], decorate: (index: number, padded: string) => string) =>
    columns
      .map(({ align = 'left' }, index) => {
        const width = widths[index] ?? 0;
        return decorate(
          index,
          padTo(truncateTo(cells[index] ?? '', width), width, align === 'left' ? 'right' : 'left'),
        );
      })
      .join(gap)
      .trimEnd();
  const heading = line(
    columns.map(({ title }) => title),
    (_, padded) => paint('dim', padded),
  );
  const body = rows.map((row) =>
    line(row, (index, padded) => {
      const style = columns[index]?.style?.(row[index] ?? '');
      return style === undefined ? padded : paint(style, padded);
    }),
  );
  return [heading, ...body];
}

function shrink(columns: readonly Column[], widths: number[], columnsMax: number): void {
  const total = () => widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);
  for (const [index, { mayShrink }] of [...columns.entries()].toReversed()) {
    const excess = total() - columnsMax;
    if (excess <= 0) return;
    if (mayShrink === true) widths[index] = Math.max(shrunkMin, (widths[index] ?? 0) - excess);
  }
}
