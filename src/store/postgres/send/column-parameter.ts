// A column of a batch as one parameter, in the database's binary form: nothing has to be quoted here or parsed there.
// The layout of an array: dimensions, whether there are nulls, the elements' type, count, first index, then each element
// as its length and its bytes.
import type { SqlType } from '../../rows/message-row.js';

const textType = 25;
const integerType = 23;
const bigintType = 20;
const headBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

type Column<Value> = readonly (Value | null)[];

/** By its type in SQL. */
export function columnOf(type: SqlType, values: readonly (string | number | null)[]): Buffer | null {
  // Whoever names the type has its values.
  if (type === 'text') return textColumn(values as readonly (string | null)[]);
  const numbers = values as readonly (number | null)[];
  return type === 'integer' ? integerColumn(numbers) : bigintColumn(numbers);
}

/** Null when there is nothing in it: the database then fills the column with nulls. */
export function textColumn(values: Column<string>): Buffer | null {
  let bytes = headBytes;
  let nulls = 0;
  for (const value of values) {
    bytes += lengthBytes;
    if (value === null) nulls += 1;
    else bytes += Buffer.byteLength(value);
  }
  if (nulls === values.length) return null;
  const column = begin(bytes, { type: textType, count: values.length, nulls });
  let at = headBytes;
  for (const value of values) {
    const written = value === null ? 0 : column.write(value, at + lengthBytes);
    column.writeInt32BE(value === null ? nullLength : written, at);
    at += lengthBytes + written;
  }
  return column;
}

export function integerColumn(values: Column<number>): Buffer | null {
  return numberColumn(values, integerType, 4, (column, value, at) => column.writeInt32BE(value, at));
}

/** For seqs and times, which are far below 2^53. */
export function bigintColumn(values: Column<number>): Buffer | null {
  return numberColumn(values, bigintType, 8, (column, value, at) => {
    const high = Math.floor(value / 2 ** 32);
    column.writeInt32BE(high, at);
    column.writeUInt32BE(value - high * 2 ** 32, at + 4);
  });
}

function numberColumn(
  values: Column<number>,
  type: number,
  width: number,
  write: (column: Buffer, value: number, at: number) => void,
): Buffer | null {
  const nulls = values.reduce<number>((count, value) => (value === null ? count + 1 : count), 0);
  if (nulls === values.length) return null;
  const bytes = headBytes + values.length * (lengthBytes + width) - nulls * width;
  const column = begin(bytes, { type, count: values.length, nulls });
  let at = headBytes;
  for (const value of values) {
    column.writeInt32BE(value === null ? nullLength : width, at);
    at += lengthBytes;
    if (value === null) continue;
    write(column, value, at);
    at += width;
  }
  return column;
}

function begin(bytes: number, { type, count, nulls }: { type: number; count: number; nulls: number }): Buffer {
  const column = Buffer.allocUnsafe(bytes);
  for (const [index, word] of [1, nulls > 0 ? 1 : 0, type, count, 1].entries()) column.writeInt32BE(word, index * 4);
  return column;
}
