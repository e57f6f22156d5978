// BullMQ: a queue per recipient. `FlowProducer.addBulk` is its way to add to several queues, all or none.
import { library } from './install.mjs';
import { startRedis } from './redis-server.mjs';
import { Arrivals, reader, recipients, sender } from './work.mjs';

export class BullMq {
  name = 'BullMQ';
  durable = 'yes (`appendfsync always`)';
  #service;
  #producer;

  async start() {
    this.#service = await startRedis();
    const { FlowProducer } = library('bullmq');
    this.#producer = new FlowProducer({ connection: this.#connection() });
    await this.#producer.waitUntilReady();
  }

  async sender() {
    return (text) =>
      this.#producer.addBulk(recipients.map((queueName) => ({ name: 'message', queueName, data: { sender, text } })));
  }

  async waiter() {
    const { Worker } = library('bullmq');
    const arrivals = new Arrivals();
    const worker = new Worker(reader, async (job) => arrivals.add(job.data.text), { connection: this.#connection() });
    await worker.waitUntilReady();
    return { next: () => arrivals.next(), close: () => worker.close() };
  }

  async stop() {
    await this.#producer?.close();
    await this.#service?.stop();
  }

  #connection() {
    return { host: '127.0.0.1', port: this.#service.port, maxRetriesPerRequest: null };
  }
}
