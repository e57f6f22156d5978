// A way to the database that can fall silent, as a network does: connections stay open and nothing comes through. It can
// also lead to another server from some moment on, as an address does that moves at a failover.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const host = '127.0.0.1';

/** What a silent way swallows: a statement whose answer alone is lost was carried out. */
export type Swallowed = 'everything' | 'answers';

interface Passage {
  hub: Socket;
  /** None for a connection that began in silence. */
  database: Socket | undefined;
  swallowed: Swallowed | undefined;
  /** It has brought the words that the trap asks for first. */
  isMarked: boolean;
}

interface Trap {
  words: string;
  /** Only a connection that brought these before is meant. */
  after: string | undefined;
  swallowed: Swallowed;
  spring: () => void;
}

export class DatabaseDoor {
  /** The database's address as this way's hub knows it. */
  readonly url: string;
  readonly #server: Server;
  #databasePort: number;
  readonly #passages = new Set<Passage>();
  /** How many connections were ever made to it. */
  admitted = 0;
  #swallowed: Swallowed | undefined;
  #trap: Trap | undefined;

  static async open(databaseUrl: string): Promise<DatabaseDoor> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    server.listen(0, host);
    await once(server, 'listening');
    return new DatabaseDoor(server, databaseUrl);
  }

  constructor(server: Server, databaseUrl: string) {
    const url = new URL(databaseUrl);
    this.#databasePort = Number(url.port);
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.href;
    this.#server = server;
    server.on('connection', (hub) => this.#admit(hub));
  }

  /** All connections, and those to come. */
  fallSilent(swallowed: Swallowed): void {
    this.#swallowed = swallowed;
    for (const passage of this.#passages) passage.swallowed = swallowed;
  }

  /**
   * The one connection that brings the next statement with these words falls silent; the statement itself comes through
   * only if no more than the answers are swallowed. Resolves when it has. A connection brings a statement's words once,
   * and from then on its name.
   */
  fallSilentAt(words: string, swallowed: Swallowed, after?: string): Promise<void> {
    for (const passage of this.#passages) passage.isMarked = false;
    return new Promise((resolve) => {
      this.#trap = { words, after, swallowed, spring: resolve };
    });
  }

  /** Connections that were silent are cut; the database's side may learn of it later than the hub. */
  heal(databaseLearnsAfterMs: number): void {
    this.#swallowed = undefined;
    for (const passage of this.#passages) {
      if (passage.swallowed === undefined) continue;
      this.#passages.delete(passage);
      passage.hub.resetAndDestroy();
      const { database } = passage;
      if (database !== undefined) setTimeout(() => database.resetAndDestroy(), databaseLearnsAfterMs).unref();
    }
  }

  /** From now on; what was open is cut, falls silent as if the old server's machine had no power, or stays. */
  leadTo(databaseUrl: string, old: 'cut' | 'silent' | 'kept' = 'cut'): void {
    this.#databasePort = Number(new URL(databaseUrl).port);
    if (old === 'kept') return;
    for (const passage of this.#passages) passage.swallowed = 'everything';
    if (old === 'cut') this.heal(0);
  }

  close(): void {
    this.#server.close();
    this.fallSilent('everything');
    this.heal(0);
  }

  #admit(hub: Socket): void {
    this.admitted += 1;
    const swallowed = this.#swallowed;
    const way = { host, port: this.#databasePort, allowHalfOpen: true, noDelay: true };
    const database = swallowed === undefined ? connect(way) : undefined;
    const passage: Passage = { hub, database, swallowed, isMarked: false };
    this.#passages.add(passage);
    this.#pass(passage, hub, database);
    if (database !== undefined) this.#pass(passage, database, hub);
  }

  #springTrap(passage: Passage, chunk: Buffer): void {
    if (this.#trap === undefined) return;
    const { words, after, swallowed, spring } = this.#trap;
    passage.isMarked ||= after === undefined || chunk.includes(after);
    if (!passage.isMarked || !chunk.includes(words)) return;
    this.#trap = undefined;
    passage.swallowed = swallowed;
    spring();
  }

  /** Bytes, ends and resets of one side come to the other, unless the way is silent. */
  #pass(passage: Passage, from: Socket, to: Socket | undefined): void {
    const isHeard = () =>
      this.#passages.has(passage) &&
      (passage.swallowed === undefined || (passage.swallowed === 'answers' && from === passage.hub));
    from.on('data', (chunk: Buffer) => {
      if (from === passage.hub) this.#springTrap(passage, chunk);
      if (isHeard()) to?.write(chunk);
    });
    from.on('end', () => {
      if (isHeard()) to?.end();
    });
    from.on('error', () => {
      if (isHeard()) to?.resetAndDestroy();
    });
    from.on('close', () => {
      if (passage.hub.destroyed && passage.database?.destroyed !== false) this.#passages.delete(passage);
    });
  }
}
