// PostgreSQL that answers a commit only when it is on disk; every peer that stores there gets a server of its own.
import { fileURLToPath } from 'node:url';
import { findServer } from '../../../scripts/postgres/find-server.mjs';
import { mayInstall } from '../../../scripts/apt-get.mjs';
import { startProgram } from '../processes.mjs';
import { Unavailable } from './work.mjs';

const script = fileURLToPath(new URL('../../../scripts/postgres.mjs', import.meta.url));

export const durableOnPostgres = 'yes (`synchronous_commit=on`)';

/** Its `address` is a URL. */
export async function startPostgres() {
  if (findServer() === undefined && !mayInstall())
    throw new Unavailable('postgres is missing (Debian package postgresql)');
  return startProgram(process.execPath, [script], { stdin: 'pipe', showErrors: true });
}
