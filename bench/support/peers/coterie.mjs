// The hub itself, by plain HTTP and by the package's own client: between them lies the cost of the client.
import { HubClient } from '../../../dist/client/index.js';
import { call, hubCli } from '../processes.mjs';
import { RawConnection } from '../raw-client.mjs';
import { startService } from './service.mjs';
import { reader, recipients, sender } from './work.mjs';

const waitInput = { timeoutMs: 20_000, for: 'all' };

class Coterie {
  durable = 'yes';
  #service;

  async start() {
    this.#service = await startService(process.execPath, {
      prepare: ({ folder, port }) => [hubCli, 'serve', '--port', String(port), '--data', folder],
    });
    this.url = `http://127.0.0.1:${this.#service.port}`;
    for (const agentId of [sender, ...recipients]) await call(this.url, 'register_agent', { agentId });
    // The word that they are in a thread is not what is measured.
    for (const agentId of recipients)
      await call(this.url, 'set_notify_prefs', { muteKinds: ['created'] }, { 'coterie-agent': agentId });
    const thread = { title: 'Bench', participants: recipients };
    const created = await call(this.url, 'create_thread', thread, { 'coterie-agent': sender });
    this.threadId = created.threadId;
  }

  async stop() {
    await this.#service?.stop();
  }
}

export class CoterieHttp extends Coterie {
  name = 'Coterie, HTTP';
  #connections = [];

  async sender(concurrency) {
    const connections = Array.from({ length: concurrency }, () => this.#connect());
    const headers = { 'coterie-agent': sender };
    return async (text, index) => {
      const body = JSON.stringify({ threadId: this.threadId, content: text });
      const answer = await connections[index].post('/v1/send_message', headers, body);
      if (!answer.text.includes('"success":true')) throw new Error(answer.text);
    };
  }

  async waiter() {
    const connection = this.#connect();
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

  #connect() {
    const connection = new RawConnection(new URL(this.url));
    this.#connections.push(connection);
    return connection;
  }
}

export class CoterieClient extends Coterie {
  name = 'Coterie, its client';

  async sender() {
    const client = new HubClient({ url: this.url, agent: sender });
    return (text) => client.call('send_message', { threadId: this.threadId, content: text });
  }

  async waiter() {
    const client = new HubClient({ url: this.url, agent: reader });
    return {
      next: async () => (await client.waitForMentions(waitInput)).messages[0].content[0].text,
      close: () => client.ack(),
    };
  }
}
