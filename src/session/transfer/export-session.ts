// export_session: a session as JSON lines, in pages.
import { readAudit } from '../../access/audit-pages.js';
import { auditEntry } from '../../access/audit-entry.js';
import { sessionUnknown } from '../../access/decide-key.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { operations } from '../../contract/operations/index.js';
import { exportVersion, type Line } from '../../contract/transfer/lines.js';
import type { Caller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store.js';
import { decodePosition, encodePosition, notACursor, sections, type ExportPosition } from './export-position.js';
import { emptyChain, extendChain } from './line-chain.js';

export interface ExportPorts {
  store: Pick<Store, 'exportHead' | 'exportMessages' | 'exportState' | 'readAttachments' | 'appendAudit' | 'listAudit'>;
  clock: Clock;
  release: string;
}

type Input = InputOf<typeof operations.exportSession>;
type Output = OutputOf<typeof operations.exportSession>;

const pageBytes = 1024 * 1024;
/** Messages are large, other rows small. */
const messagesAtOnce = 50;
const rowsAtOnce = 500;

export async function exportSession(ports: ExportPorts, caller: Caller, { cursor }: Input): Promise<Output> {
  const { sessionId } = caller;
  const page = new Page();
  let position: ExportPosition | null;
  if (cursor === undefined) position = await begin(ports, caller, page);
  else {
    position = decodePosition(cursor, sessionId);
    await requireBegun(ports, caller, position);
  }
  while (position !== null && page.bytes < pageBytes) position = await addNext(ports, page, position);
  return {
    lines: page.lines.join(''),
    hasMore: position !== null,
    cursor: position === null ? null : encodePosition(position),
  };
}

class Page {
  readonly lines: string[] = [];
  bytes = 0;

  add(position: Pick<ExportPosition, 'chain'>, kind: string | null, line: object): void {
    const text = JSON.stringify(line);
    extendChain(position.chain, kind, text);
    this.lines.push(`${text}\n`);
    this.bytes += text.length + 1;
  }
}

async function begin({ store, clock, release }: ExportPorts, caller: Caller, page: Page): Promise<ExportPosition> {
  const { sessionId, grant } = caller;
  const head = await store.exportHead({ sessionId });
  if (head === null) throw sessionUnknown(sessionId);
  const { session, lastSeq } = head;
  const at = clock.now();
  // In open mode everyone may read everything.
  if (grant !== null) await store.appendAudit(auditEntry(caller, at, 'export_session', sessionId, { lastSeq }));
  const position = { sessionId, at, lastSeq, section: sections[0], after: null, chain: emptyChain() };
  const exportedAt = new Date(at).toISOString();
  page.add(position, null, { coterie: 'export', version: exportVersion, release, sessionId, exportedAt, lastSeq });
  page.add(position, session.kind, session);
  return position;
}

/** A cursor can be forged: there is no page of an export that was not recorded. */
async function requireBegun(
  { store }: ExportPorts,
  { sessionId, grant }: Caller,
  { at }: ExportPosition,
): Promise<void> {
  if (grant === null) return;
  const { entries } = await readAudit(store, {
    sessionId,
    actor: null,
    act: 'export_session',
    since: at,
    until: at,
    limit: 10,
    before: null,
  });
  if (!entries.some(({ keyId }) => keyId === grant.keyId)) throw notACursor();
}

/** Null at the end. */
async function addNext(ports: ExportPorts, page: Page, position: ExportPosition): Promise<ExportPosition | null> {
  const next = position.section === 'message' ? addMessages : addState;
  const after = await next(ports, page, position);
  if (after !== null) return { ...position, after };
  const section = sections[sections.indexOf(position.section) + 1];
  if (section !== undefined) return { ...position, section, after: null };
  const { lines, counts, sha256 } = position.chain;
  page.add(position, null, { kind: 'end', lines, counts, sha256 });
  return null;
}

async function addMessages(
  { store }: ExportPorts,
  page: Page,
  position: ExportPosition,
): Promise<ExportPosition['after']> {
  const { sessionId, lastSeq } = position;
  let after = Number(position.after?.[0] ?? 0);
  const found = await store.exportMessages({ sessionId, after, lastSeq, limit: messagesAtOnce });
  for (const { message, copies, attachments } of found.messages) {
    if (page.bytes >= pageBytes) return [after];
    for (const { hash, mediaType } of attachments) {
      const line = await attachmentLine(store, sessionId, { hash, mediaType });
      if (line !== null) page.add(position, line.kind, line);
    }
    page.add(position, message.kind, message);
    for (const copy of copies) page.add(position, copy.kind, copy);
    after = message.seq;
  }
  return found.hasMore ? [after] : null;
}

async function attachmentLine(
  store: ExportPorts['store'],
  sessionId: string,
  { hash, mediaType }: { hash: string; mediaType: string },
): Promise<Line<'attachment'> | null> {
  const [found] = await store.readAttachments({ sessionId, hashes: [hash], bytesMax: Number.MAX_SAFE_INTEGER });
  if (found === undefined) return null;
  const { buffer, byteOffset, byteLength } = found.bytes;
  return { kind: 'attachment', hash, mediaType, data: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}

async function addState(
  { store }: ExportPorts,
  page: Page,
  { chain, section, ...position }: ExportPosition,
): Promise<ExportPosition['after']> {
  if (section === 'message') throw new Error('messages are read with their copies');
  const { sessionId, after, lastSeq, at } = position;
  const found = await store.exportState({ sessionId, kind: section, after, lastSeq, now: at, limit: rowsAtOnce });
  for (const line of found.lines) page.add({ chain }, line.kind, line);
  return found.after;
}
