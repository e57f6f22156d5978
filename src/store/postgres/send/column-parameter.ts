// Encodes a column of a batch as one array parameter in the database's binary format, which avoids quoting and parsing.
// Array layout: dimensions, has-nulls flag, element type, count, first index, then each element as its length and bytes.
import type { SqlType } from '../../rows/message-row.js';

const textType = 25;
const integerType = 23;
const bigintType = 20;
const headerBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

type Column<Value> = readonly (Value | null)[];

export function columnOf(type: SqlType, values: readonly (string | number | null)[]): Buffer | null {
  // Safe: the caller passes values of this type.
  if (type === 'text') return textColumn(values as readonly (string | null)[]);
  const numbers = values as readonly (number | null)[];
  return type === 'integer' ? integerColumn(numbers) : bigintColumn(numbers);
}

/** Null when all values are null: the database then fills the column with nulls. */
export function textColumn(values: Column<string>): Buffer | null {
  let bytes = headerBytes;
  let nulls = 0;
  for (const value of values) {
    bytes += lengthBytes;
    if (value === null) nulls += 1;
    else bytes += Buffer.byteLength(value);
  }
  if (nulls === values.length) return null;
  const column = newColumn(bytes, { type: textType, count: values.length, nulls });
  let at = headerBytes;
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
  const bytes = headerBytes + values.length * (lengthBytes + width) - nulls * width;
  const column = newColumn(bytes, { type, count: values.length, nulls });
  let at = headerBytes;
  for (const value of values) {
    column.writeInt32BE(value === null ? nullLength : width, at);
    at += lengthBytes;
    if (value === null) continue;
    write(column, value, at);
    at += width;
  }
  return column;
}

function newColumn(bytes: number, { type, count, nulls }: { type: number; count: number; nulls: number }): Buffer {
  const column = Buffer.allocUnsafe(bytes);
  for (const [index, field] of [1, nulls > 0 ? 1 : 0, type, count, 1].entries()) column.writeInt32BE(field, index * 4);
  return column;
}
