// The hub itself, by plain HTTP and by the package's own client, on any store: between the two lies the cost of the client.
import { HubClient } from '../../../dist/client/index.js';
import { call } from '../processes.mjs';
import { RawConnection } from '../raw-client.mjs';
import { reader, recipients, sender } from './work.mjs';

const waitInput = { timeoutMs: 20_000, for: 'all' };

class Coterie {
  #startHubs;
  #hubs;

  /** `startHubs` is one of ./hubs.mjs. */
  constructor({ name, durable, startHubs }) {
    Object.assign(this, { name, durable });
    this.#startHubs = startHubs;
  }

  async start() {
    this.#hubs = await this.#startHubs();
    const [url] = this.urls;
    for (const agentId of [sender, ...recipients]) await call(url, 'register_agent', { agentId });
    // The word that they are in a thread is not what is measured.
    for (const agentId of recipients)
      await call(url, 'set_notify_prefs', { muteKinds: ['created'] }, { 'coterie-agent': agentId });
    const thread = { title: 'Bench', participants: recipients };
    const created = await call(url, 'create_thread', thread, { 'coterie-agent': sender });
    this.threadId = created.threadId;
  }

  get urls() {
    return this.#hubs.urls;
  }

  async stop() {
    await this.#hubs?.stop();
  }
}

export class CoterieHttp extends Coterie {
  #connections = [];

  /** The senders are spread over the hubs in turn. */
  async sender(concurrency) {
    const connections = Array.from({ length: concurrency }, (_, index) =>
      this.#connect(this.urls[index % this.urls.length]),
    );
    const headers = { 'coterie-agent': sender };
    return async (text, index) => {
      const body = JSON.stringify({ threadId: this.threadId, content: text });
      const answer = await connections[index].post('/v1/send_message', headers, body);
      if (!answer.text.includes('"success":true')) throw new Error(answer.text);
    };
  }

  /** At the last hub: with several, not the one of the first sender, whose message it waits for. */
  async waiter() {
    const connection = this.#connect(this.urls.at(-1));
    const body = JSON.stringify(waitInput);
    return {
      next: async () => {
        const { text } = await connection.post('/v1/wait_for_mentions', { 'coterie-agent': reader }, body);
        return JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).messages[0].content[0].text;
      },
      close: () => connection.close(),
    };
  }

  async stop() {
    for (const connection of this.#connections) connection.close();
    await super.stop();
  }

  #connect(url) {
    const connection = new RawConnection(new URL(url));
    this.#connections.push(connection);
    return connection;
  }
}

export class CoterieClient extends Coterie {
  async sender() {
    const client = new HubClient({ url: this.urls[0], agent: sender });
    return (text) => client.call('send_message', { threadId: this.threadId, content: text });
  }

  async waiter() {
    const client = new HubClient({ url: this.urls[0], agent: reader });
    return {
      next: async () => (await client.waitForMentions(waitInput)).messages[0].content[0].text,
      close: () => client.ack(),
    };
  }
}
