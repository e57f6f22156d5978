// Who is measured. Each peer has a name and a word on durability, and can:
// start(), sender(concurrency) → send(text, index), waiter() → { next(), close(), settleMs?() }, stop().
import { BullMq } from './bullmq.mjs';
import { CoterieClient, CoterieHttp } from './coterie.mjs';
import { JetStreamDefault, JetStreamSynced } from './jetstream.mjs';
import { PgBoss } from './pg-boss.mjs';
import { RedisStreams } from './redis-streams.mjs';

/** The first is what the others are compared with. */
export const peers = [
  new CoterieHttp(),
  new CoterieClient(),
  new RedisStreams(),
  new BullMq(),
  new JetStreamSynced(),
  new JetStreamDefault(),
  new PgBoss(),
];
