// A terminal's screen, as far as commands use one: what a person sees after everything that was written.

const sequence = new RegExp(String.raw`^${'\u001b'}\[\??([\d;]*)([A-Za-z])`);

export function screenOf(written: string, columns: number): string[] {
  const rows: string[][] = [[]];
  let [row, column] = [0, 0];
  const rowAt = (index: number) => (rows[index] ??= []);
  const clear: Record<string, () => void> = {
    J: () => {
      rowAt(row).splice(column);
      rows.splice(row + 1);
    },
    K: () => rowAt(row).splice(column),
  };
  const move = (kind: string, count: number) => {
    if (kind === 'A') row = Math.max(0, row - count);
    if (kind === 'B') row += count;
    if (kind === 'C') column = Math.min(columns - 1, column + count);
    if (kind === 'D') column = Math.max(0, column - count);
    if (kind === 'G') column = count - 1;
  };
  for (let at = 0; at < written.length;) {
    const [whole, amount = '', kind = ''] = sequence.exec(written.slice(at, at + 20)) ?? [];
    const character = written[at] ?? '';
    at += whole?.length ?? 1;
    if (whole !== undefined) (clear[kind] ?? (() => move(kind, Number(amount || 1))))();
    else if (character === '\r') column = 0;
    else if (character === '\n') row += 1;
    else if (character >= ' ') {
      // The cursor stays in the last column until the next character.
      if (column === columns) [row, column] = [row + 1, 0];
      const line = rowAt(row);
      while (line.length < column) line.push(' ');
      line[column] = character;
      column += 1;
    }
  }
  return Array.from(rows, (line: string[] | undefined) => (line ?? []).join('').trimEnd());
}
