// Checks the lines of an export one by one. What it must know of earlier lines fits into a few fields, so that the parts of a
// file can be read by different hubs.
import { hash } from 'node:crypto';
import type { z } from 'zod';
import { HubError } from '../../contract/errors.js';
import { everyoneGroup } from '../../contract/ids.js';
import { badShapeOf } from '../../contract/input/json-depth.js';
import { limits } from '../../contract/limits.js';
import { refuseReservedId } from '../../contract/reserved-ids.js';
import { end, exportVersion, header, lineKinds, schemaOf, type Line } from '../../contract/transfer/lines.js';
import type { ImportProgress } from '../../ports/transfer.js';
import { importInvalid, newerRelease } from './decide-import.js';
import { emptyChain, extendChain } from './line-chain.js';

export class LineReader {
  readonly progress: ImportProgress;

  constructor(progress: ImportProgress | null) {
    this.progress = progress ?? {
      chain: emptyChain(),
      sessionId: null,
      lastSeq: 0,
      place: -1,
      key: null,
      message: null,
      isEnded: false,
    };
  }

  read(text: string): void {
    const { progress } = this;
    if (progress.isEnded) throw this.#invalid('it comes after the end');
    const value = this.#parse(text);
    if (progress.sessionId === null) {
      this.#readHeader(value);
      extendChain(progress.chain, null, text);
      return;
    }
    const { kind } = value;
    if (kind === 'end') return this.#readEnd(value);
    const line = this.#lineOf(value);
    this.#requireOrder(line);
    this.#requireWhole(line);
    extendChain(progress.chain, line.kind, text);
  }

  requireEnd(): void {
    if (this.progress.isEnded) return;
    throw importInvalid(`it was cut: it ends after ${this.progress.chain.lines} lines, without its last one`);
  }

  #parse(text: string): Record<string, unknown> {
    const bytes = Buffer.from(text);
    const isDeep = badShapeOf(bytes, { depth: limits.jsonDepth, values: Infinity }) === 'deep';
    if (isDeep) throw this.#invalid(`it nests deeper than ${limits.jsonDepth}`);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#invalid('it is not valid JSON');
    }
    if (isObject(value)) return value;
    throw this.#invalid('it is not a JSON object');
  }

  #readHeader(value: Record<string, unknown>): void {
    if (value['coterie'] !== 'export') throw this.#invalid('it is not the header of an export');
    const { version, release } = value;
    if (typeof version === 'number' && version > exportVersion) throw newerRelease(version, String(release));
    const { sessionId, lastSeq } = this.#checked(header, value);
    if (version !== exportVersion) throw this.#invalid(`version ${String(version)} is unknown`);
    this.progress.sessionId = sessionId;
    this.progress.lastSeq = lastSeq;
  }

  #readEnd(value: Record<string, unknown>): void {
    const { progress } = this;
    this.#requireCopies();
    if (progress.place < 0) throw this.#invalid('the session’s own line is missing');
    const { lines, counts, sha256 } = this.#checked(end, value);
    const { chain } = progress;
    const isComplete = lines === chain.lines && sameCounts(counts, chain.counts);
    if (!isComplete)
      throw this.#invalid(`lines are missing or were added: it names ${lines}, there are ${chain.lines}`);
    if (sha256 !== chain.sha256) throw this.#invalid('a line before it was changed: the hash differs');
    chain.lines += 1;
    progress.isEnded = true;
  }

  #lineOf(value: Record<string, unknown>): Line {
    const kind = String(value['kind']).slice(0, 40);
    const schema = schemaOf(kind);
    if (schema === undefined) throw this.#invalid(`the kind '${kind}' is unknown`);
    return this.#checked(schema, value);
  }

  #checked<Value>(schema: z.ZodType<Value>, value: unknown): Value {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = issue?.path.map(String).join('.') ?? '';
    throw this.#invalid(
      field === '' ? (issue?.message ?? 'it is invalid') : `${field.slice(0, 80)}: ${issue?.message}`,
    );
  }

  #requireOrder(line: Line): void {
    const { progress } = this;
    const place = placeOf(line.kind);
    const isFirst = progress.place < 0;
    if (isFirst !== (line.kind === 'session')) {
      throw this.#invalid(isFirst ? 'the session’s own line must be the second' : 'the session is there twice');
    }
    if (place < progress.place) throw this.#invalid(`a line of kind '${line.kind}' cannot come here`);
    const key = keyOf(line);
    if (place > progress.place) progress.key = null;
    if (key !== null && progress.key !== null && !isBefore(progress.key, key)) {
      throw this.#invalid(`${key.join(' ')} is there twice, or not in order`);
    }
    progress.key = key ?? progress.key;
    progress.place = place;
  }

  #requireWhole(line: Line): void {
    const { progress } = this;
    if (line.kind === 'copy') return this.#readCopy(line);
    this.#requireCopies();
    for (const seq of seqsIn(line)) {
      if (seq > progress.lastSeq) throw this.#invalid(`message ${seq} is after the last, ${progress.lastSeq}`);
    }
    if (line.kind === 'message') {
      if (line.replyTo !== undefined && line.replyTo >= line.seq) throw this.#invalid('it replies to a later message');
      progress.message = { seq: line.seq, missing: [...new Set(line.recipients)] };
    }
    if (line.kind === 'attachment') this.#requireAttachment(line);
    if (line.kind === 'agent') this.#requireFree(line.id);
    if (line.kind === 'group') this.#requireFree(line.name);
  }

  #readCopy({ seq, agentId }: Line<'copy'>): void {
    const { message } = this.progress;
    if (message?.seq !== seq) throw this.#invalid(`it is a copy of message ${seq}, which does not come before it`);
    const index = message.missing.indexOf(agentId);
    if (index < 0) throw this.#invalid(`'${agentId}' is no recipient of message ${seq}, or has two copies`);
    message.missing.splice(index, 1);
  }

  #requireCopies(): void {
    const { message } = this.progress;
    const [agentId] = message?.missing ?? [];
    if (message === null || agentId === undefined) return;
    throw this.#invalid(`the copy of message ${message.seq} for '${agentId}' is missing before it`);
  }

  #requireAttachment({ hash: expected, data }: Line<'attachment'>): void {
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > limits.attachmentBytes) {
      throw this.#invalid(`the attachment is larger than ${limits.attachmentBytes} bytes, the most this hub allows`);
    }
    if (hash('sha256', bytes, 'hex') !== expected) throw this.#invalid('the data of the attachment has another hash');
  }

  #requireFree(id: string): void {
    try {
      refuseReservedId(id, 'id');
    } catch (error) {
      throw error instanceof HubError ? this.#invalid(error.message.replace(/\.$/, '')) : error;
    }
    if (id === everyoneGroup) throw this.#invalid(`'${id}' is the group of everyone`);
  }

  #invalid(problem: string): HubError {
    return importInvalid(problem, this.progress.chain.lines + 1);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Attachments and copies come with their messages. */
function placeOf(kind: Line['kind']): number {
  return lineKinds.indexOf(kind === 'attachment' || kind === 'copy' ? 'message' : kind);
}

/** Null for kinds that are not sorted by a key. */
function keyOf(line: Line): (string | number)[] | null {
  switch (line.kind) {
    case 'message':
      return [line.seq];
    case 'agent':
    case 'thread':
      return [line.id];
    case 'group':
    case 'notifyTemplate':
      return [line.name];
    case 'member':
    case 'criticalAnswer':
      return [line.threadId, line.agentId];
    case 'criticalThread':
      return [line.threadId];
    case 'notifyPrefs':
      return [line.agentId];
    case 'session':
    case 'attachment':
    case 'copy':
    case 'deadLetter':
    case 'idempotencyKey':
      return null;
  }
}

/** Ids are ASCII, so that this is the order of both stores. */
function isBefore(one: readonly (string | number)[], other: readonly (string | number)[]): boolean {
  for (const [index, value] of one.entries()) {
    const next = other[index] ?? '';
    if (value !== next) return value < next;
  }
  return false;
}

/** The messages that a line names, besides its own reply. */
function seqsIn(line: Line): number[] {
  switch (line.kind) {
    case 'message':
    case 'criticalAnswer':
    case 'deadLetter':
      return [line.seq];
    case 'criticalThread':
      return [line.opening];
    case 'idempotencyKey':
      return 'seq' in line ? [line.seq] : [];
    case 'session':
    case 'attachment':
    case 'copy':
    case 'agent':
    case 'group':
    case 'thread':
    case 'member':
    case 'notifyPrefs':
    case 'notifyTemplate':
      return [];
  }
}

function sameCounts(one: Record<string, number>, other: Record<string, number>): boolean {
  const kinds = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...kinds].every((kind) => one[kind] === other[kind]);
}
