// Runs a throw-away PostgreSQL server for tests, and installs PostgreSQL where that is possible. Prints
// `postgres ready <url>` and ends with its stdin or by a signal. Whoever holds the other end of stdin may die in any way:
// the system closes it, and nothing stays behind. A line `crash` on stdin kills it without warning, `start` starts it
// again on what it had on disk; each is answered by a line. With the address of another it is that one's standby.
import { createInterface } from 'node:readline';
import { mayInstall } from './apt-get.mjs';
import { startCluster } from './postgres/cluster.mjs';
import { findServer } from './postgres/find-server.mjs';
import { installServer } from './postgres/install-server.mjs';

const howToGetIt = `The tests need the programs of a PostgreSQL server (initdb, postgres), and there are none here.
Install them (Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql), or name
  COTERIE_TEST_POSTGRES_BIN  the folder that has them, or
  COTERIE_TEST_POSTGRES_URL  a server that runs, where this user may create databases.
Without PostgreSQL the tests of the embedded store run with: npm test -- --project sqlite`;

const leaving = new Promise((resolve) => {
  process.stdin.on('end', resolve).on('error', resolve);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve);
});

try {
  const cluster = await startCluster(requireServer(), process.argv[2]);
  console.log(`postgres ready ${cluster.url}`);
  await Promise.race([leaving, cluster.ended, obey(cluster)]);
  await cluster.stop();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
// stdin may still be open, after a signal.
process.stdin.destroy();

/** Until stdin ends. */
async function obey(cluster) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'crash') {
      await cluster.crash();
      console.log('postgres crashed');
    } else if (line === 'start') {
      await cluster.start();
      console.log(`postgres ready ${cluster.url}`);
    }
  }
}

function requireServer() {
  const found = findServer();
  if (found !== undefined) return found;
  if (mayInstall()) installServer();
  const installed = findServer();
  if (installed === undefined) throw new Error(howToGetIt);
  return installed;
}
