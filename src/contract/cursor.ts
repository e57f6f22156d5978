// Cursors, opaque to callers. One kind acknowledges a leased answer, the other is a position in a list.

export interface LeaseCursor {
  kind: 'lease';
  token: string;
  /** The number of copies in the answer and the position of the first: bounds the acknowledgement's scan. */
  count: number;
  rank: number;
  seq: number;
}

export interface PositionCursor {
  kind: 'position';
  after: (string | number)[];
}

export type Cursor = LeaseCursor | PositionCursor;

export function encodeCursor(cursor: Cursor): string {
  const fields =
    cursor.kind === 'lease' ? ['l', cursor.token, cursor.count, cursor.rank, cursor.seq] : ['p', ...cursor.after];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** Undefined for text that is not a cursor. */
export function decodeCursor(text: string): Cursor | undefined {
  const fields = parseFields(text);
  if (fields?.[0] === 'p') return { kind: 'position', after: fields.slice(1) };
  const [kind, token, count, rank, seq] = fields ?? [];
  if (kind !== 'l' || typeof token !== 'string') return undefined;
  if (!isWhole(count) || !isWhole(rank) || !isWhole(seq)) return undefined;
  return { kind: 'lease', token, count, rank, seq };
}

/** Cursors can be forged: refuse numbers that the store cannot bind. */
function isWhole(field: unknown): field is number {
  return typeof field === 'number' && Number.isSafeInteger(field) && field >= 0;
}

function parseFields(text: string): (string | number)[] | undefined {
  try {
    const fields: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(fields) && fields.every((field) => typeof field === 'string' || typeof field === 'number')
      ? fields
      : undefined;
  } catch {
    return undefined;
  }
}
