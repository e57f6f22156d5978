// Who is measured. Each peer has a name and a word on durability, and can:
// start(), sender(concurrency) → send(text, index), waiter() → { next(), close(), settleMs?() }, stop();
// and where a send does not wake the waiter: waker() → send(text).
import { BullMq } from './bullmq.mjs';
import { CoterieClient, CoterieHttp } from './coterie.mjs';
import { hubOnSqlite, hubsOnPostgres } from './hubs.mjs';
import { JetStreamDefault, JetStreamSynced } from './jetstream.mjs';
import { PgBoss } from './pg-boss.mjs';
import { PlainPgLoop, PlainPgProgram } from './plain-pg.mjs';
import { durableOnPostgres } from './postgres-server.mjs';
import { RedisStreams } from './redis-streams.mjs';

const onSqlite = { durable: 'yes', startHubs: hubOnSqlite };
const embedded = new CoterieHttp({ name: 'Coterie on SQLite', ...onSqlite });
const plainLoop = new PlainPgLoop();

export const peers = [
  embedded,
  new CoterieClient({ name: 'Coterie on SQLite, its client', ...onSqlite }),
  ...[1, 2, 3].map(onPostgres),
  plainLoop,
  new PlainPgProgram(),
  new RedisStreams(),
  new BullMq(),
  new JetStreamSynced(),
  new JetStreamDefault(),
  new PgBoss(),
];

/** What all are compared with: the embedded hub, and the least that PostgreSQL can do. */
export const yardsticks = [embedded, plainLoop].map(({ name }) => name);

function onPostgres(count) {
  const name = `Coterie on PostgreSQL, ${count} ${count === 1 ? 'hub' : 'hubs'}`;
  return new CoterieHttp({ name, durable: durableOnPostgres, startHubs: () => hubsOnPostgres(count) });
}
