// Finds strace, or installs it where that is possible.
import { spawnSync } from 'node:child_process';
import { installPackage, mayInstall } from '../apt-get.mjs';

function hasStrace() {
  return spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0;
}

export function requireStrace() {
  if (hasStrace()) return;
  if (mayInstall()) installPackage('strace');
  if (!hasStrace()) throw new Error('The replay of power cuts needs strace. Debian, Ubuntu: apt-get install strace');
}
