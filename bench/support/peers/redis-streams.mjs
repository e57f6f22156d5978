// Redis Streams: in one transaction an entry in the thread's stream and one in each recipient's, read by consumer groups.
import { library } from './install.mjs';
import { startRedis } from './redis-server.mjs';
import { reader, recipients, sender } from './work.mjs';

const streams = ['history', ...recipients];

export class RedisStreams {
  name = 'Redis Streams';
  durable = 'yes (`appendfsync always`)';
  #service;
  #redis;

  async start() {
    this.#service = await startRedis();
    this.#redis = this.#connect();
    for (const stream of recipients) await this.#redis.xgroup('CREATE', stream, stream, '$', 'MKSTREAM');
  }

  /** One connection for all: the client sends what is asked for without waiting for earlier answers. */
  async sender() {
    return async (text) => {
      const transaction = this.#redis.multi();
      for (const stream of streams) transaction.xadd(stream, '*', 'sender', sender, 'text', text);
      const results = await transaction.exec();
      if (results.length !== streams.length) throw new Error('not all entries were added');
    };
  }

  async waiter() {
    const redis = this.#connect();
    return {
      next: async () => {
        const [[, [[id, fields]]]] = await redis.xreadgroup(
          'GROUP',
          reader,
          'bench',
          'COUNT',
          50,
          'BLOCK',
          20_000,
          'STREAMS',
          reader,
          '>',
        );
        // Confirmed after it was received, as Coterie does; its answer is not waited for.
        void redis.xack(reader, reader, id);
        return fields[3];
      },
      close: () => redis.disconnect(),
    };
  }

  async stop() {
    this.#redis?.disconnect();
    await this.#service?.stop();
  }

  #connect() {
    const { Redis } = library('ioredis');
    return new Redis({ host: '127.0.0.1', port: this.#service.port, maxRetriesPerRequest: null });
  }
}
