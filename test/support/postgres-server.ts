// Vitest's global setup for the projects that need PostgreSQL: one server for all of them, gone with the run, however it ends.
import { startPostgres } from './postgres-process.js';

const variable = 'COTERIE_TEST_POSTGRES_URL';
const lookEveryMs = 250;

export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  // Given by a person, or by the setup of another project in this run. Workers inherit it.
  if (process.env[variable]) return undefined;
  const server = await startPostgres();
  process.env[variable] = server.url;
  const stopWatching = endWithParent();
  return async () => {
    stopWatching();
    await server.stop();
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
