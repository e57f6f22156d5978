// Caddy and nginx for the test of their files in deploy/: Debian's packages, unpacked into a folder of our own, so that no
// service is installed or started. Prints where the programs are, as JSON; an empty object where there is no apt-get.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { aptGet, mayInstall } from './apt-get.mjs';
import { root } from './tool.mjs';

const folder = join(root, 'node_modules', '.cache', 'proxies');
const programs = { caddy: join(folder, 'usr/bin/caddy'), nginx: join(folder, 'usr/sbin/nginx') };

if (!existsSync(folder) && mayInstall()) unpack();
console.log(JSON.stringify(existsSync(folder) ? programs : {}));

/** The folder appears only when it is complete. */
function unpack() {
  console.error('Fetching Caddy and nginx for the tests (apt-get) …');
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  aptGet('update', '-qq');
  execFileSync('/usr/bin/apt-get', ['download', '-qq', ...Object.keys(programs)], {
    cwd: unfinished,
    stdio: ['ignore', 2, 2],
  });
  for (const name of readdirSync(unfinished)) {
    execFileSync('/usr/bin/dpkg-deb', ['-x', join(unfinished, name), unfinished], { stdio: ['ignore', 2, 2] });
    rmSync(join(unfinished, name));
  }
  renameSync(unfinished, folder);
}
