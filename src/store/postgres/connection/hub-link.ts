// The link between hubs: LISTEN and NOTIFY on a connection of its own. It is never part of a send's transaction, which
// would make all commits wait in one line. A connection that is lost is made again, and whoever waits is told.
import { randomBytes } from 'node:crypto';
import type { Client, Notification, QueryResult, QueryResultRow } from 'pg';
import type { HubLink, HubLinkListener } from '../../../ports/hub-link.js';
import { openClient, requireWritable } from './connections.js';
import { pause } from './database.js';
import { linkNameOf } from './upgrade-schema.js';

const channel = 'coterie';
/** PostgreSQL takes less than 8,000 bytes; our own name goes before each payload. */
const payloadBytesMax = 7_900;
/** A connection that is dead without knowing it is found out by asking. */
const heartbeatEveryMs = 1_000;
const answerMs = 2_000;

interface Mail {
  sessionId: string;
  agentId: string;
  seq: number;
}

/** `onBack` is called when the connection was lost and another works. */
export async function openHubLink(url: string, onBack: () => void = () => {}): Promise<HubLink> {
  const link = new PostgresLink(url, onBack);
  await link.connect();
  return link;
}

class PostgresLink implements HubLink {
  readonly payloadBytesMax = payloadBytesMax;
  readonly #url: string;
  readonly #onBack: () => void;
  readonly #name = randomBytes(6).toString('hex');
  #client: Client | undefined;
  #listener: HubLinkListener | undefined;
  #payloads: string[] = [];
  #isPublishing = false;
  #isClosed = false;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  /** The last question that was asked. */
  #asked: Promise<unknown> = Promise.resolve();

  constructor(url: string, onBack: () => void) {
    this.#url = url;
    this.#onBack = onBack;
  }

  async connect(): Promise<void> {
    const client = openClient(this.#url, linkNameOf(this.#name));
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', (notification) => this.#receive(notification));
    try {
      await client.connect();
      await requireWritable(client);
      // A hint needs no fsync.
      await client.query(`set synchronous_commit = off; listen ${channel}`);
      // Closed meanwhile: nobody would close this one, and the process could not end.
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
    const answer = await this.#ask<Mail>(
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
    const answer = await this.#ask<{ sessionId: string; seq: number }>(
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

  /** What is said while one payload is under way goes with the next. */
  async #publishAll(): Promise<void> {
    this.#isPublishing = true;
    while (this.#payloads.length > 0) {
      const payloads = this.#payloads.map((payload) => `${this.#name} ${payload}`);
      this.#payloads = [];
      try {
        await this.#ask(
          'select pg_notify($1, payload) from unnest($2::text[]) payload',
          [channel, payloads],
          'publish',
        );
      } catch {
        // Whoever should have heard it looks at the store before long.
      }
    }
    this.#isPublishing = false;
  }

  #receive({ payload = '' }: Notification): void {
    const [name = ''] = payload.split(' ', 1);
    if (name !== this.#name) this.#listener?.received(payload.slice(name.length + 1));
  }

  /** One question after the other: a connection takes no more. No answer without a connection. */
  #ask<Row extends QueryResultRow>(
    text: string,
    values: unknown[] = [],
    name?: string,
  ): Promise<QueryResult<Row> | undefined> {
    const question = { text, values, ...(name !== undefined && { name }) };
    const answer = this.#asked.then(() => this.#client?.query<Row>(question));
    this.#asked = answer.catch(() => {});
    return answer;
  }

  async #checkHeartbeat(client: Client): Promise<void> {
    const late = setTimeout(() => this.#lose(client), answerMs).unref();
    await this.#ask(`select current_setting('transaction_read_only') as "readOnly"`).then(
      // Nothing is said there any more.
      (answer) => answer?.rows[0]?.['readOnly'] === 'on' && this.#lose(client),
      () => this.#lose(client),
    );
    clearTimeout(late);
  }

  #lose(client: Client): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    clearInterval(this.#heartbeatTimer);
    // Without waiting for a server that may not answer.
    client.connection.stream.destroy();
    void this.#connectAgain();
  }

  async #connectAgain(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.connect();
        this.#onBack();
        this.#listener?.missed();
        return;
      } catch {
        await pause();
      }
    }
  }
}
