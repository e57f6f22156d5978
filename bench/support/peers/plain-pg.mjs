// Plain programs on the `pg` driver: the rows that the hub would store, in the hub's tables, one statement and so one
// commit for each send, on a connection of each sender's own. Nothing is checked and no one else numbers the messages.
import { Client } from 'pg';
import { migrate } from '../../../dist/store/postgres/connection/upgrade-schema.js';
import { durableOnPostgres, startPostgres } from './postgres-server.mjs';
import { Arrivals, reader, recipients, sender } from './work.mjs';

const session = 'plain';
const channel = 'plain';

const store = `with stored as (
    insert into message (session_id, seq, origin, thread_id, sender, at, rank, role, type, priority, action, urgent,
      content, recipients)
    values ($1, $2, 1, 't', $3, $4, 2, 'ASSISTANT', 'STATUS', 'normal', 'queue', 0, $5, $6))
  insert into pending (session_id, agent_id, lane, rank, seq, why)
  select $1, agent_id, 1, 2, $2, 'thread' from unnest($7::text[]) as agent_id`;

const take = `with taken as (
    delete from pending where session_id = $1 and agent_id = $2 and lane = 1 and rank = 2 and seq in
      (select seq from pending where session_id = $1 and agent_id = $2 and lane = 1 and rank = 2
       order by seq limit 50 for update skip locked)
    returning seq)
  select content from message where session_id = $1 and seq in (select seq from taken) order by seq`;

class PlainPg {
  durable = durableOnPostgres;
  #server;
  #clients = [];
  #seq = 0;

  async start() {
    this.#server = await startPostgres();
    await migrate(await this.connect());
  }

  async stop() {
    for (const client of this.#clients) await client.end();
    await this.#server?.stop();
  }

  /** A connection for each of so many senders. */
  connectAll(count) {
    return Promise.all(Array.from({ length: count }, () => this.connect()));
  }

  async connect() {
    const client = new Client(this.#server.address);
    await client.connect();
    this.#clients.push(client);
    return client;
  }

  store(client, text) {
    const content = JSON.stringify([{ type: 'text', text }]);
    const values = [session, ++this.#seq, sender, Date.now(), content, JSON.stringify(recipients), recipients];
    return client.query({ name: 'store', text: store, values });
  }

  notify(client, payload) {
    return client.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channel, payload] });
  }

  /** `onNotice` gets each payload, and the connection it came by. */
  async listen(onNotice) {
    const client = await this.connect();
    client.on('notification', ({ payload }) => void onNotice(payload, client));
    await client.query(`listen ${channel}`);
    return () => client.query(`unlisten ${channel}`);
  }
}

/** Its sends wake no one, and what wakes is not stored: the least that each could cost. */
export class PlainPgLoop extends PlainPg {
  name = 'plain `pg` loop; NOTIFY alone';
  durable = `${durableOnPostgres}; wakes are not stored`;

  async sender(concurrency) {
    const clients = await this.connectAll(concurrency);
    return (text, index) => this.store(clients[index], text);
  }

  async waker() {
    const client = await this.connect();
    return (text) => this.notify(client, text);
  }

  async waiter() {
    const arrivals = new Arrivals();
    const close = await this.listen((text) => arrivals.add(text));
    return { next: () => arrivals.next(), close };
  }
}

/** What one would write: each send is stored, then told; the reader takes what it is told of. */
export class PlainPgProgram extends PlainPg {
  name = 'plain `pg` program: store, NOTIFY, take';

  async sender(concurrency) {
    const clients = await this.connectAll(concurrency);
    return async (text, index) => {
      await this.store(clients[index], text);
      await this.notify(clients[index], '');
    };
  }

  async waiter() {
    const arrivals = new Arrivals();
    const close = await this.listen(async (_, client) => {
      const { rows } = await client.query({ name: 'take', text: take, values: [session, reader] });
      for (const { content } of rows) arrivals.add(JSON.parse(content)[0].text);
    });
    return { next: () => arrivals.next(), close };
  }
}
