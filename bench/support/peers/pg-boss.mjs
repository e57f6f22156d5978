// pg-boss: three jobs in three queues with one `insert`.
import { library } from './install.mjs';
import { durableOnPostgres, startPostgres } from './postgres-server.mjs';
import { Arrivals, reader, recipients, sender } from './work.mjs';

/** The shortest that it takes. */
const pollingMs = 500;

export class PgBoss {
  name = 'pg-boss';
  durable = durableOnPostgres;
  #server;
  #boss;
  #isStopping = false;

  async start() {
    this.#server = await startPostgres();
    const Boss = library('pg-boss');
    this.#boss = new Boss(this.#server.address);
    // Its connections report the server's end as an error.
    this.#boss.on('error', (error) => {
      if (!this.#isStopping) console.error(error);
    });
    await this.#boss.start();
    for (const queue of recipients) await this.#boss.createQueue(queue);
  }

  /** Through its own pool of ten connections. */
  async sender() {
    return (text) => this.#boss.insert(recipients.map((name) => ({ name, data: { sender, text } })));
  }

  async waiter() {
    const arrivals = new Arrivals();
    const polling = { pollingIntervalSeconds: pollingMs / 1000 };
    await this.#boss.work(reader, polling, async ([job]) => arrivals.add(job.data.text));
    return {
      next: () => arrivals.next(),
      // It asks at intervals, so a message may come at any moment of one.
      settleMs: () => Math.random() * pollingMs,
      close: () => this.#boss.offWork(reader),
    };
  }

  async stop() {
    this.#isStopping = true;
    await this.#boss?.stop({ graceful: false });
    await this.#server?.stop();
  }
}
