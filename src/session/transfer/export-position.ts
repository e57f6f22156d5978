// Where the next page of an export starts, as a cursor. Any hub can read it; a forged one harms only the file of its maker.
import { decodeCursor, encodeCursor } from '../../contract/cursor.js';
import { HubError } from '../../contract/errors.js';
import { stateKinds, type StateKind } from '../../contract/transfer/lines.js';
import type { Chain, Position } from '../../ports/transfer.js';

/** Messages come first, then each kind of state. */
export const sections = ['message', ...stateKinds] as const;
export type Section = 'message' | StateKind;

export interface ExportPosition {
  sessionId: string;
  /** When the export began. */
  at: number;
  lastSeq: number;
  section: Section;
  /** The key of the last line of the section. */
  after: Position | null;
  chain: Chain;
}

export function encodePosition({ sessionId, at, lastSeq, section, after, chain }: ExportPosition): string {
  const { lines, sha256, counts } = chain;
  const fields = ['export', sessionId, at, lastSeq, section, lines, sha256, JSON.stringify(counts)];
  return encodeCursor({ kind: 'position', after: [...fields, ...(after ?? [])] });
}

/** A cursor of another session is refused like any other text. */
export function decodePosition(text: string, sessionId: string): ExportPosition {
  const cursor = decodeCursor(text);
  if (cursor?.kind !== 'position') throw notACursor();
  const [name, session, at, lastSeq, given, lines, sha256, counts, ...after] = cursor.after;
  const section = sections.find((each) => each === given);
  const isOurs = name === 'export' && session === sessionId && section !== undefined;
  if (!isOurs || !isWhole(at) || !isWhole(lastSeq) || !isWhole(lines)) throw notACursor();
  if (typeof sha256 !== 'string' || typeof counts !== 'string' || !isKeyOf(section, after)) throw notACursor();
  const chain = { lines, sha256, counts: countsIn(counts) };
  return { sessionId, at, lastSeq, section, after: after.length === 0 ? null : after, chain };
}

const textKeys: Readonly<Record<Section, number>> = {
  message: 0,
  agent: 1,
  group: 1,
  thread: 1,
  member: 2,
  criticalThread: 1,
  criticalAnswer: 2,
  deadLetter: 0,
  notifyPrefs: 1,
  notifyTemplate: 1,
  idempotencyKey: 2,
};

/** The store must be able to compare it with the keys of the section. */
function isKeyOf(section: Section, after: Position): boolean {
  if (after.length === 0) return true;
  const texts = textKeys[section];
  if (texts === 0) return after.length === 1 && isWhole(after[0]);
  return after.length === texts && after.every(isText);
}

function isText(value: string | number): boolean {
  return typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value);
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function countsIn(text: string): Record<string, number> {
  try {
    const counts: unknown = JSON.parse(text);
    const isCounts = typeof counts === 'object' && counts !== null && Object.values(counts).every(isWhole);
    if (isCounts) return { ...counts };
  } catch {
    // Below.
  }
  throw notACursor();
}

export function notACursor(): HubError {
  return new HubError('INVALID_INPUT', 'cursor: is not a cursor of export_session.', {
    hint: 'Use the cursor of the last answer as it was, or leave it out to start over.',
    details: { field: 'cursor' },
  });
}
