// Vitest's global setup for the projects that need PostgreSQL: one server for all of them, gone with the run, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/postgres.mjs', import.meta.url));
const variable = 'COTERIE_TEST_POSTGRES_URL';
const lookEveryMs = 250;

export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  // Given by a person, or by the setup of another project in this run. Workers inherit it.
  if (process.env[variable]) return undefined;
  // A group of its own: Ctrl-C is for the tests, the server goes after them, when its stdin ends.
  const server = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  let said = '';
  const ready = new Promise<string>((resolve) => {
    server.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /^postgres ready (\S+)$/m.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const url = await Promise.race([ready, exited.then(() => undefined)]);
  if (url === undefined) throw new Error('No PostgreSQL server for the tests; the reason stands above.');
  process.env[variable] = url;
  const stopWatching = endWithParent();
  return async () => {
    stopWatching();
    server.stdin.end();
    await exited;
  };
}

/** `npm test` that is killed cannot pass the signal on: the run would go on with nobody to read its result. */
function endWithParent(): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
