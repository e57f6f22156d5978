// A way to the database that can fall silent, as a network does: connections stay open and nothing comes through.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const host = '127.0.0.1';

/** What a silent way swallows: a statement whose answer alone is lost was carried out. */
export type Swallowed = 'everything' | 'answers';

interface Passage {
  hub: Socket;
  /** None for a connection that began in silence. */
  database: Socket | undefined;
}

export class DatabaseDoor {
  /** The database's address as this way's hub knows it. */
  readonly url: string;
  readonly #server: Server;
  readonly #databasePort: number;
  readonly #passages = new Set<Passage>();
  #swallowed: Swallowed | undefined;

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

  fallSilent(swallowed: Swallowed): void {
    this.#swallowed = swallowed;
  }

  /** Connections that were silent are cut; the database's side may learn of it later than the hub. */
  heal(databaseLearnsAfterMs: number): void {
    this.#swallowed = undefined;
    for (const passage of this.#passages) {
      this.#passages.delete(passage);
      passage.hub.resetAndDestroy();
      const { database } = passage;
      if (database !== undefined) setTimeout(() => database.resetAndDestroy(), databaseLearnsAfterMs).unref();
    }
  }

  close(): void {
    this.#server.close();
    this.heal(0);
  }

  #admit(hub: Socket): void {
    const isSilent = this.#swallowed !== undefined;
    const database = isSilent
      ? undefined
      : connect({ host, port: this.#databasePort, allowHalfOpen: true, noDelay: true });
    const passage: Passage = { hub, database };
    this.#passages.add(passage);
    this.#pass(passage, hub, database);
    if (database !== undefined) this.#pass(passage, database, hub);
  }

  /** Bytes, ends and resets of one side come to the other, unless the way is silent. */
  #pass(passage: Passage, from: Socket, to: Socket | undefined): void {
    const isHeard = () =>
      this.#passages.has(passage) &&
      (this.#swallowed === undefined || (this.#swallowed === 'answers' && from === passage.hub));
    from.on('data', (chunk) => {
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
