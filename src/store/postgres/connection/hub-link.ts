// The link between hubs: LISTEN and NOTIFY on a separate connection. Never in the transaction of a send, because NOTIFY
// serializes all commits. A lost connection is replaced, and the listener is notified that it may have missed hints.
import { randomBytes } from 'node:crypto';
import type { Client, Notification, QueryResult, QueryResultRow } from 'pg';
import type { HubLink, HubLinkListener } from '../../../ports/hub-link.js';
import { openClient, requireWritable } from './connections.js';
import { pause } from './database.js';
import { linkNameOf } from './upgrade-schema.js';

const channel = 'coterie';
/** PostgreSQL accepts less than 8,000 bytes; our own name precedes each payload. */
const payloadBytesMax = 7_900;
/** A heartbeat detects a dead connection that reports no error. */
const heartbeatEveryMs = 1_000;
const heartbeatTimeoutMs = 2_000;

interface Mail {
  sessionId: string;
  agentId: string;
  seq: number;
}

/** Calls `onReconnect` when a lost connection was replaced. */
export async function openHubLink(url: string, onReconnect: () => void = () => {}): Promise<HubLink> {
  const link = new PostgresLink(url, onReconnect);
  await link.connect();
  return link;
}

class PostgresLink implements HubLink {
  readonly payloadBytesMax = payloadBytesMax;
  readonly #url: string;
  readonly #onReconnect: () => void;
  readonly #name = randomBytes(6).toString('hex');
  #client: Client | undefined;
  #listener: HubLinkListener | undefined;
  #payloads: string[] = [];
  #isPublishing = false;
  #isClosed = false;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  /** The last query; the next one waits for it. */
  #lastQuery: Promise<unknown> = Promise.resolve();

  constructor(url: string, onReconnect: () => void) {
    this.#url = url;
    this.#onReconnect = onReconnect;
  }

  async connect(): Promise<void> {
    const client = openClient(this.#url, linkNameOf(this.#name));
    client.on('error', () => this.#dropConnection(client));
    client.on('end', () => this.#dropConnection(client));
    client.on('notification', (notification) => this.#receive(notification));
    try {
      await client.connect();
      await requireWritable(client);
      // A hint needs no fsync.
      await client.query(`set synchronous_commit = off; listen ${channel}`);
      // Closed meanwhile: nobody would close this connection, and the process could not exit.
      if (this.#isClosed) throw new Error('the link is closed');
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
    this.#client = client;
    this.#heartbeatTimer = setInterval(() => void this.#checkHeartbeat(client), heartbeatEveryMs).unref();
  }

  listen(listener: HubLinkListener): void {
    this.#listener = listener;
  }

  publish(payloads: readonly string[]): void {
    this.#payloads.push(...payloads);
    if (!this.#isPublishing) void this.#publishAll();
  }

  async newestMail(readers: readonly { sessionId: string; agentId: string }[]): Promise<Mail[]> {
    // uses pending's key, from the end of each lane and rank
    const answer = await this.#query<Mail>(
      `select r.session_id as "sessionId", r.agent_id as "agentId", max(newest.seq) as seq
       from unnest($1::text[], $2::text[]) as r (session_id, agent_id)
       cross join (values (0), (1)) as l (lane) cross join (values (0), (1), (2), (3)) as k (rank)
       cross join lateral (select p.seq from pending p
         where p.session_id = r.session_id and p.agent_id = r.agent_id and p.lane = l.lane and p.rank = k.rank
           and p.lease_token is null and p.digest is null order by p.seq desc limit 1) newest
       group by r.session_id, r.agent_id order by r.session_id, r.agent_id`,
      [readers.map(({ sessionId }) => sessionId), readers.map(({ agentId }) => agentId)],
    );
    return answer?.rows ?? [];
  }

  async lastSeqs(sessionIds: readonly string[]): Promise<{ sessionId: string; seq: number }[]> {
    // uses message's key
    const answer = await this.#query<{ sessionId: string; seq: number }>(
      `select s.id as "sessionId", last.seq from unnest($1::text[]) as s (id)
       cross join lateral (select m.seq from message m where m.session_id = s.id order by m.seq desc limit 1) last
       order by s.id`,
      [sessionIds],
    );
    return answer?.rows ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#heartbeatTimer);
    await this.#client?.end().catch(() => {});
  }

  /** Payloads that arrive during a query are sent with the next one. */
  async #publishAll(): Promise<void> {
    this.#isPublishing = true;
    while (this.#payloads.length > 0) {
      const payloads = this.#payloads.map((payload) => `${this.#name} ${payload}`);
      this.#payloads = [];
      try {
        await this.#query(
          'select pg_notify($1, payload) from unnest($2::text[]) payload',
          [channel, payloads],
          'publish',
        );
      } catch {
        // Hints may be lost: other hubs poll the store.
      }
    }
    this.#isPublishing = false;
  }

  #receive({ payload = '' }: Notification): void {
    const [name = ''] = payload.split(' ', 1);
    if (name !== this.#name) this.#listener?.received(payload.slice(name.length + 1));
  }

  /** One query at a time. Undefined while there is no connection. */
  #query<Row extends QueryResultRow>(
    text: string,
    values: unknown[] = [],
    name?: string,
  ): Promise<QueryResult<Row> | undefined> {
    const query = { text, values, ...(name !== undefined && { name }) };
    const answer = this.#lastQuery.then(() => this.#client?.query<Row>(query));
    this.#lastQuery = answer.catch(() => {});
    return answer;
  }

  async #checkHeartbeat(client: Client): Promise<void> {
    const late = setTimeout(() => this.#dropConnection(client), heartbeatTimeoutMs).unref();
    await this.#query(`select current_setting('transaction_read_only') as "readOnly"`).then(
      // A read-only server publishes no notifications.
      (answer) => answer?.rows[0]?.['readOnly'] === 'on' && this.#dropConnection(client),
      () => this.#dropConnection(client),
    );
    clearTimeout(late);
  }

  #dropConnection(client: Client): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    clearInterval(this.#heartbeatTimer);
    // Immediately: the server may not answer.
    client.connection.stream.destroy();
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.connect();
        this.#onReconnect();
        this.#listener?.missed();
        return;
      } catch {
        await pause();
      }
    }
  }
}
