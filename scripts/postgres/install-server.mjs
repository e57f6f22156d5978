// Installs Debian's PostgreSQL for the tests, without the cluster that the package would make and run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { aptGet, installPackage } from '../apt-get.mjs';

const clusterSettings = '/etc/postgresql-common/createcluster.conf';

/** Throws when it could not be installed. */
export function installServer() {
  console.error('Installing PostgreSQL for the tests (apt-get) …');
  const wasThere = existsSync(clusterSettings);
  aptGet('update', '-q');
  installPackage('postgresql-common');
  // Settings that a person may have made stay as they are.
  if (!wasThere) makeNoCluster();
  installPackage('postgresql');
}

function makeNoCluster() {
  const settings = existsSync(clusterSettings) ? readFileSync(clusterSettings, 'utf8') : '';
  const others = settings.replaceAll(/^create_main_cluster\b.*$/gm, '');
  writeFileSync(clusterSettings, `${others.trimEnd()}\ncreate_main_cluster = false\n`);
}
