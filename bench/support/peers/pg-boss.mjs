// pg-boss: three jobs in three queues with one `insert`, on a PostgreSQL cluster of its own.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { library, program } from './install.mjs';
import { startService } from './service.mjs';
import { Arrivals, reader, recipients, sender, Unavailable } from './work.mjs';

/** The shortest that it takes. */
const pollingMs = 500;

export class PgBoss {
  name = 'pg-boss';
  durable = 'yes (`synchronous_commit=on`)';
  #service;
  #boss;
  #isStopping = false;

  async start() {
    const command = program('postgres');
    const user = unprivilegedUser();
    this.#service = await startService(command, {
      ...user,
      ready: /ready to accept connections/,
      readyOn: 'stderr',
      // Ends without waiting for clients to leave.
      stopSignal: 'SIGINT',
      prepare: ({ folder, port }) => {
        const data = join(folder, 'data');
        const init = ['-D', data, '-U', 'bench', '--auth', 'trust', '--encoding', 'UTF8', '--no-locale'];
        execFileSync(join(dirname(command), 'initdb'), init, { ...user, cwd: folder, stdio: 'ignore' });
        const settings = { listen_addresses: '127.0.0.1', fsync: 'on', synchronous_commit: 'on' };
        const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
        return ['-D', data, '-p', String(port), '-k', folder, ...flags];
      },
    });
    const Boss = library('pg-boss');
    this.#boss = new Boss({ host: '127.0.0.1', port: this.#service.port, user: 'bench', database: 'postgres' });
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
    await this.#service?.stop();
  }
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return {};
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
    return { uid, gid };
  } catch {
    throw new Unavailable('there is no user postgres to run it as');
  }
}
