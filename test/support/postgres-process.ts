// A PostgreSQL server of its own, gone with whoever started it, however that one ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/postgres.mjs', import.meta.url));

export interface PostgresProcess {
  /** Of its own database. */
  url: string;
  /** Kills it with all its processes, without warning. */
  crash(): Promise<void>;
  /** Starts it again after a crash; resolves when it accepts connections. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** With the address of another it is that one's standby. */
export async function startPostgres(primaryUrl?: string): Promise<PostgresProcess> {
  // A group of its own: Ctrl-C is for the tests, the server goes after them, when its stdin ends.
  const server = spawn(process.execPath, primaryUrl === undefined ? [script] : [script, primaryUrl], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  let said = '';
  let look = () => {};
  server.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    look();
  });
  const hears = async (line: RegExp): Promise<string> => {
    const heard = new Promise<string>((resolve) => {
      look = () => {
        const found = line.exec(said);
        if (found === null) return;
        said = '';
        resolve(found[1] ?? '');
      };
      look();
    });
    const found = await Promise.race([heard, exited.then(() => undefined)]);
    if (found === undefined) throw new Error('No PostgreSQL server for the tests; the reason stands above.');
    return found;
  };
  const ready = /^postgres ready (\S+)$/m;
  return {
    url: await hears(ready),
    async crash() {
      server.stdin.write('crash\n');
      await hears(/^postgres crashed$/m);
    },
    async start() {
      server.stdin.write('start\n');
      await hears(ready);
    },
    async stop() {
      server.stdin.end();
      await exited;
    },
  };
}
