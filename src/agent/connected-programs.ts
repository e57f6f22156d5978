// Which programs are connected under which name. Two programs under one name share its mail, mostly by mistake, so the
// later one is warned. What only looks like a second program is not counted: a program that was restarted has closed its
// sockets, one that connects anew does so on a socket it has, and requests that cannot be told apart are taken for one
// program's.
import type { Program, ProgramSocket } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { ProgramNews } from '../ports/program-news.js';
import { activeMs, idleMs } from './presence.js';

export interface ConnectedProgram {
  readonly id: string | null;
  /** By which hubs know it; null while it is only a guess that its requests are one program's. */
  readonly publicId: string | null;
  readonly likeness: string;
  readonly isProxied: boolean;
  startedAt: number;
  at: number;
  /** Calls that run now; a wait may take long. */
  calls: number;
  warnings: number;
  /** Another one came on its socket, so it is the same process that connected anew, unless it calls again. */
  isReplaced: boolean;
  /** Those it was seen on last. */
  readonly sockets: Set<ProgramSocket>;
}

interface Named {
  readonly sessionId: string;
  readonly agentId: string;
  /** In the order in which they connected. */
  programs: ConnectedProgram[];
  /** At other hubs, by id. */
  readonly elsewhere: Map<string, ProgramElsewhere>;
}

interface ProgramElsewhere {
  likeness: string;
  startedAt: number;
  until: number;
}

type Publish = (sessionId: string, agentId: string, news: ProgramNews) => void;

/** A program's results that warn it; a model needs no more to understand. */
const warningsMax = 3;
const socketsMax = 8;
/** Of one name; beyond it, those that have fallen silent are forgotten. */
const programsMax = 50;
/** Of one name, at all other hubs; more would be no news. */
const elsewhereMax = 200;
/** Other hubs hear again of each program this often, and believe it for a little longer. */
const publishEveryMs = 20_000;
const elsewhereMs = 25_000;

export class ConnectedPrograms {
  readonly #names = new Map<string, Named>();
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #publish: Publish;
  #publishedAt = 0;

  constructor({ clock, newId, publish }: { clock: Clock; newId: () => string; publish: Publish }) {
    this.#clock = clock;
    this.#newId = newId;
    this.#publish = publish;
  }

  /** A request of this program under this name. Undefined for commands, which do not count. */
  note(sessionId: string, agentId: string, program: Program): ConnectedProgram | undefined {
    if (program.isCommand) return undefined;
    const named = this.#named(sessionId, agentId);
    const at = this.#clock.now();
    const known = this.#find(named, program) ?? this.#add(named, program, at);
    known.at = at;
    known.isReplaced = false;
    if (!known.sockets.has(program.socket)) addSocket(known.sockets, program.socket);
    return known;
  }

  /** A notification, or a stream it opened: no call, but a socket of its own. */
  noteSocket(sessionId: string, agentId: string, { id, socket }: Program): void {
    const known = this.#names.get(keyOf(sessionId, agentId))?.programs.find((one) => one.id === id && id !== null);
    if (known !== undefined && !known.sockets.has(socket)) addSocket(known.sockets, socket);
  }

  /** It said that it disconnects. */
  leave(sessionId: string, agentId: string, { id }: Program): void {
    const named = this.#names.get(keyOf(sessionId, agentId));
    const left = named?.programs.find((known) => known.id === id && id !== null);
    if (named === undefined || left === undefined) return;
    left.sockets.clear();
    this.#publishFor(named, left, false);
  }

  /** How many are connected, this program included, if an earlier one still is; 0 when it need not be warned (again). */
  warn(sessionId: string, agentId: string, program: ConnectedProgram): number {
    const named = this.#names.get(keyOf(sessionId, agentId));
    // As for nearly every call.
    if (named === undefined || (named.programs.length < 2 && named.elsewhere.size === 0)) return 0;
    if (program.warnings >= warningsMax || !this.#hasEarlier(named, program)) return 0;
    program.warnings += 1;
    return this.countOf(sessionId, agentId);
  }

  countOf(sessionId: string, agentId: string): number {
    const named = this.#names.get(keyOf(sessionId, agentId));
    if (named === undefined) return 0;
    const here = named.programs.filter((program) => this.#isConnected(program));
    const elsewhere = [...this.#elsewhere(named)].filter((other) => !here.some((program) => isSame(program, other)));
    return here.length + elsewhere.length;
  }

  forget(sessionId: string, agentId: string): void {
    this.#names.delete(keyOf(sessionId, agentId));
  }

  /** Another hub published this. */
  applyRemote(sessionId: string, agentId: string, { id, likeness, startedAt, isConnected }: ProgramNews): void {
    const named = this.#named(sessionId, agentId);
    if (!isConnected) return void named.elsewhere.delete(id);
    if (named.elsewhere.size >= elsewhereMax && !named.elsewhere.has(id)) return;
    named.elsewhere.set(id, { likeness, startedAt, until: this.#clock.now() + elsewhereMs });
    const here = named.programs.find((program) => program.publicId === id);
    if (here !== undefined) here.startedAt = Math.min(here.startedAt, startedAt);
  }

  /** Removes programs that have disconnected, and tells other hubs about all others now and then. */
  sweep(): void {
    const now = this.#clock.now();
    const isTime = now - this.#publishedAt >= publishEveryMs;
    if (isTime) this.#publishedAt = now;
    for (const [key, named] of this.#names) {
      for (const program of named.programs) if (isTime || !this.#isKept(program)) this.#publishFor(named, program);
      named.programs = named.programs.filter((program) => this.#isKept(program));
      for (const [id, { until }] of named.elsewhere) if (until <= now) named.elsewhere.delete(id);
      if (named.programs.length === 0 && named.elsewhere.size === 0) this.#names.delete(key);
    }
  }

  #named(sessionId: string, agentId: string): Named {
    const key = keyOf(sessionId, agentId);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const named = { sessionId, agentId, programs: [], elsewhere: new Map() };
    this.#names.set(key, named);
    return named;
  }

  #find({ programs }: Named, { id, likeness, isHandshake, socket }: Program): ConnectedProgram | undefined {
    if (id !== null) return programs.find((known) => known.id === id);
    if (isHandshake) return undefined;
    const last = (isIt: (known: ConnectedProgram) => boolean) => programs.findLast(isIt);
    const isAlike = (known: ConnectedProgram) => known.likeness === likeness && this.#isConnected(known);
    return (
      last(({ sockets }) => sockets.has(socket)) ??
      // A client opens a further socket while its others are busy.
      last((known) => isAlike(known) && known.calls >= known.sockets.size) ??
      last(isAlike)
    );
  }

  /** Plain requests that came before, from the same kind of program or on the same socket, were its own. */
  #add(named: Named, { id, likeness, isHandshake, isProxied, socket }: Program, at: number): ConnectedProgram {
    const before = named.programs.find((known) => {
      if (known.id !== null) return false;
      if (id === null && known.sockets.has(socket)) return true;
      return known.publicId === null && known.likeness === likeness && this.#isConnected(known);
    });
    const replaced = named.programs.filter(({ sockets }) => sockets.has(socket));
    const publicId = id ?? (isHandshake ? this.#newId() : null);
    const program: ConnectedProgram = {
      id,
      publicId,
      likeness,
      isProxied,
      startedAt: Math.min(at, before?.startedAt ?? at, named.elsewhere.get(publicId ?? '')?.startedAt ?? at),
      at,
      calls: 0,
      warnings: 0,
      isReplaced: false,
      sockets: new Set(before?.sockets),
    };
    if (before !== undefined) this.#publishFor(named, before, false);
    for (const known of replaced) {
      known.isReplaced = true;
      // It may connect anew on any of them.
      for (const one of known.sockets) addSocket(program.sockets, one);
      this.#publishFor(named, known);
    }
    named.programs = [...this.#others(named, before), program];
    this.#publishFor(named, program, true);
    return program;
  }

  #others(named: Named, before: ConnectedProgram | undefined): ConnectedProgram[] {
    const others = named.programs.filter((known) => known !== before);
    const kept = others.filter((known) => this.#isKept(known));
    const few = kept.length < programsMax ? kept : kept.filter((known) => this.#isConnected(known));
    for (const known of others) if (!few.includes(known)) this.#publishFor(named, known, false);
    return few;
  }

  #hasEarlier(named: Named, program: ConnectedProgram): boolean {
    const { startedAt } = program;
    const index = named.programs.indexOf(program);
    const isEarlier = (other: ConnectedProgram, place: number) =>
      other.startedAt < startedAt || (other.startedAt === startedAt && place < index);
    // The sockets of a proxy say nothing: then only what it did since shows that the earlier program is still there.
    const isThere = (other: ConnectedProgram) => this.#isConnected(other) && (!other.isProxied || other.at > startedAt);
    if (named.programs.some((other, place) => isEarlier(other, place) && isThere(other))) return true;
    for (const other of this.#elsewhere(named)) {
      if (!isSame(program, other) && other[1].startedAt < startedAt) return true;
    }
    return false;
  }

  *#elsewhere({ elsewhere }: Named) {
    for (const entry of elsewhere) if (entry[1].until > this.#clock.now()) yield entry;
  }

  /** An idle program keeps its sockets for a while, so silence is a sign too. */
  #isConnected(program: ConnectedProgram): boolean {
    const { calls, isReplaced, at } = program;
    return isOpen(program) && (calls > 0 || (!isReplaced && this.#clock.now() - at < activeMs));
  }

  /** A proxy, or a process that connects anew, may hold its sockets for ever. */
  #isKept(program: ConnectedProgram): boolean {
    const { calls, isReplaced, at } = program;
    return isOpen(program) && (calls > 0 || this.#clock.now() - at < (isReplaced ? activeMs : idleMs));
  }

  #publishFor(
    { sessionId, agentId }: Named,
    program: ConnectedProgram,
    isConnected = this.#isConnected(program),
  ): void {
    const { publicId: id, likeness, startedAt } = program;
    if (id !== null) this.#publish(sessionId, agentId, { id, likeness, startedAt, isConnected });
  }
}

function isSame(here: ConnectedProgram, [id, { likeness }]: [string, ProgramElsewhere]): boolean {
  return here.publicId === null ? here.likeness === likeness : here.publicId === id;
}

function isOpen({ sockets }: ConnectedProgram): boolean {
  for (const { destroyed, readableEnded } of sockets) if (!destroyed && !readableEnded) return true;
  return false;
}

function addSocket(sockets: Set<ProgramSocket>, socket: ProgramSocket): void {
  for (const known of sockets) if (known.destroyed || sockets.size >= socketsMax) sockets.delete(known);
  sockets.add(socket);
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId}\n${id}`;
}
