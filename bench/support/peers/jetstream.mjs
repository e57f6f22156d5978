// NATS JetStream: one publish to a stream on disk that three durable consumers follow, each with its own place in it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { library, program } from './install.mjs';
import { startService } from './service.mjs';
import { Arrivals, reader, recipients, sender, Unavailable } from './work.mjs';

const stream = 'thread';

class JetStream {
  #settings;
  #service;
  #connection;
  #jetstream;

  constructor(settings) {
    this.#settings = settings;
  }

  async start() {
    // NATS_SERVER: a newer one than the system's.
    const command = process.env['NATS_SERVER'] ?? program('nats-server');
    const version = /v([\d.]+)/.exec(execFileSync(command, ['--version'], { encoding: 'utf8' }))?.[1];
    this.#service = await startService(command, {
      ready: /Server is ready/,
      readyOn: 'stderr',
      prepare: ({ folder, port }) => {
        const config = join(folder, 'nats.conf');
        const jetstream = `jetstream { store_dir: "${folder}"\n${this.#settings} }`;
        writeFileSync(config, `listen: "127.0.0.1:${port}"\n${jetstream}\n`);
        this.#check(command, config, version);
        return ['-c', config];
      },
    });
    const { connect } = library('@nats-io/transport-node');
    const { AckPolicy, jetstream, jetstreamManager, StorageType } = library('@nats-io/jetstream');
    this.#connection = await connect({ servers: `127.0.0.1:${this.#service.port}` });
    this.#jetstream = jetstream(this.#connection);
    const manager = await jetstreamManager(this.#connection);
    await manager.streams.add({ name: stream, subjects: [stream], storage: StorageType.File });
    for (const name of recipients)
      await manager.consumers.add(stream, { durable_name: name, ack_policy: AckPolicy.Explicit });
  }

  async sender() {
    return (text) => this.#jetstream.publish(stream, JSON.stringify({ sender, text }));
  }

  async waiter() {
    const consumer = await this.#jetstream.consumers.get(stream, reader);
    const arrivals = new Arrivals();
    const messages = await consumer.consume({
      callback(message) {
        message.ack();
        arrivals.add(message.json().text);
      },
    });
    return { next: () => arrivals.next(), close: () => messages.close() };
  }

  async stop() {
    await this.#connection?.close();
    await this.#service?.stop();
  }

  #check(command, config, version) {
    try {
      execFileSync(command, ['-t', '-c', config], { stdio: 'ignore' });
    } catch {
      throw new Unavailable(`nats-server ${version} has no \`${this.#settings}\`; name a newer one with NATS_SERVER`);
    }
  }
}

export class JetStreamSynced extends JetStream {
  name = 'NATS JetStream, synced';
  durable = 'yes (`sync_interval: always`)';

  constructor() {
    super('sync_interval: always');
  }
}

export class JetStreamDefault extends JetStream {
  name = 'NATS JetStream, default';
  durable = 'no (fsync every 2 min)';

  constructor() {
    super('');
  }
}
