// Installs Debian's PostgreSQL for the tests, without the cluster that the package would make and run.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { exitCodeOf } from '../tool.mjs';

const aptGetProgram = '/usr/bin/apt-get';
const clusterSettings = '/etc/postgresql-common/createcluster.conf';

export function mayInstall() {
  return process.getuid?.() === 0 && existsSync(aptGetProgram);
}

/** Throws when it could not be installed. */
export function installServer() {
  console.error('Installing PostgreSQL for the tests (apt-get) …');
  const wasThere = existsSync(clusterSettings);
  aptGet('update', '-q');
  aptGet('install', '-q', '-y', '--no-install-recommends', 'postgresql-common');
  // Settings that a person may have made stay as they are.
  if (!wasThere) makeNoCluster();
  aptGet('install', '-q', '-y', '--no-install-recommends', 'postgresql');
}

function makeNoCluster() {
  const settings = existsSync(clusterSettings) ? readFileSync(clusterSettings, 'utf8') : '';
  const others = settings.replaceAll(/^create_main_cluster\b.*$/gm, '');
  writeFileSync(clusterSettings, `${others.trimEnd()}\ncreate_main_cluster = false\n`);
}

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another installation may be under way; stdout belongs to the ready line.
  const result = spawnSync(aptGetProgram, ['-o', 'DPkg::Lock::Timeout=120', ...args], { env, stdio: ['ignore', 2, 2] });
  if (exitCodeOf(result) !== 0) throw new Error(`apt-get ${args[0]} failed.`);
}
