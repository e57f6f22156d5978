// The writes of a recorded hub, and what the disk may hold if the power is cut after one of them. Synced is what was written
// to a file before an fsync of it began, once that has returned. Of later writes any sectors may be on disk, of a sector
// written several times any of its contents in their order. A file that exists is taken to stay (its folder was synced).
import { basename } from 'node:path';
import { bytesOf, isDatabaseFile } from './record.mjs';

const sectorBytes = 512;
const line = /^(\d+) +(\d+\.\d+) (?:<\.\.\. (\w+) resumed>|(\w+)\(\d+<([^>]*)>(?:, ?)?)(.*)$/s;

/** Entries in the order in which they began; an fsync also has the place where it returned. */
export function readJournal(trace) {
  const entries = [];
  const open = new Map();
  let place = 0;
  for (const text of trace.split('\n')) {
    const parsed = line.exec(text);
    if (parsed === null) continue;
    const [, thread, time, resumed, call, path, rest] = parsed;
    place += 1;
    if (resumed !== undefined) {
      const entry = open.get(thread);
      open.delete(thread);
      if (entry !== undefined) entry.endPlace = place;
      continue;
    }
    const file = basename(unescape(path));
    if (!isDatabaseFile(file)) continue;
    const entry = {
      place,
      endPlace: place,
      atUs: Math.floor(Number(time) * 1e6),
      call,
      file,
      ...argumentsOf(call, rest),
    };
    if (rest.endsWith('<unfinished ...>')) {
      entry.endPlace = Number.POSITIVE_INFINITY;
      open.set(thread, entry);
    }
    entries.push(entry);
  }
  const writes = entries.filter(({ call }) => call === 'pwrite64').length;
  if (writes === 0) throw new Error('strace recorded no write to the database');
  return { entries, writes };
}

/** strace -xx also writes paths in hex. */
function unescape(text) {
  return text.startsWith('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex').toString() : text;
}

function argumentsOf(call, rest) {
  if (call === 'ftruncate') return { length: Number(/^(\d+)/.exec(rest)?.[1]) };
  if (call !== 'pwrite64') return {};
  const [, hex, , offset] = /^"([^"]*)", (\d+), (\d+)/.exec(rest);
  return { bytes: Buffer.from(hex.replaceAll('\\x', ''), 'hex'), offset: Number(offset) };
}

/** After entries of the load, so that what clients noted before the next entry began was before the cut. */
export function chooseCuts({ entries }, { count, random, fromUs }) {
  const first = entries.findIndex(({ atUs }) => atUs >= fromUs);
  const chosen = new Set();
  const possible = entries.length - 1 - first;
  while (chosen.size < Math.min(count, possible)) chosen.add(random.whole(first, entries.length - 2));
  return [...chosen].toSorted((a, b) => a - b).map((index) => ({ index, atUs: entries[index + 1].atUs }));
}

/** One image for each cut, in their order. */
export function* imagesAt({ entries }, { base, cuts, random }) {
  const synced = new Map(['coterie.db', 'coterie.db-wal'].map((name) => [name, new Image(bytesOf(base, name))]));
  /** Of each file, in order. */
  const unsynced = new Map([...synced.keys()].map((name) => [name, []]));
  /** Syncs that had not returned at an earlier cut. */
  let syncing = [];
  let next = 0;
  for (const cut of cuts) {
    const cutPlace = entries[cut.index + 1].place;
    for (; next <= cut.index; next += 1) {
      const entry = entries[next];
      if (entry.call === 'fsync' || entry.call === 'fdatasync') syncing.push(entry);
      else unsynced.get(entry.file).push(entry);
    }
    const returned = syncing.filter(({ endPlace }) => endPlace < cutPlace);
    syncing = syncing.filter(({ endPlace }) => endPlace >= cutPlace);
    for (const [file, writes] of unsynced) {
      // The last sync of a file covers what those before it do.
      const place = Math.max(0, ...returned.filter((sync) => sync.file === file).map((sync) => sync.place));
      for (const write of writes) if (write.endPlace < place) synced.get(file).apply(write);
      unsynced.set(
        file,
        writes.filter((write) => write.endPlace >= place),
      );
    }
    const share = random.pick([0, 0.2, 0.5, 0.8, 1]);
    const isTorn = random.happens(0.5);
    const files = new Map();
    for (const [file, { bytes }] of synced) {
      const image = new Image(bytes);
      for (const write of unsynced.get(file)) {
        for (const part of isTorn ? sectorsOf(write) : [write]) if (random.happens(share)) image.apply(part);
      }
      files.set(file, image.bytes);
    }
    yield { cut, files };
  }
}

/** The contents of a file. It grows by doubling: a log grows with every write. */
class Image {
  #buffer;
  #length;

  constructor(bytes) {
    this.#buffer = Buffer.from(bytes);
    this.#length = bytes.length;
  }

  get bytes() {
    return this.#buffer.subarray(0, this.#length);
  }

  apply({ call, bytes, offset, length }) {
    if (call === 'ftruncate') return this.#resize(length);
    this.#resize(Math.max(this.#length, offset + bytes.length));
    bytes.copy(this.#buffer, offset);
  }

  #resize(length) {
    if (length > this.#buffer.length) {
      this.#buffer = Buffer.concat([this.bytes, Buffer.alloc(2 * length - this.#length)]);
    }
    // What a file was cut by and grows by again is zero.
    if (length > this.#length) this.#buffer.fill(0, this.#length, length);
    this.#length = length;
  }
}

function sectorsOf(write) {
  if (write.call !== 'pwrite64') return [write];
  const parts = [];
  const { offset, bytes } = write;
  for (let at = 0; at < bytes.length;) {
    const size = Math.min(bytes.length - at, sectorBytes - ((offset + at) % sectorBytes));
    parts.push({ call: 'pwrite64', offset: offset + at, bytes: bytes.subarray(at, at + size) });
    at += size;
  }
  return parts;
}
