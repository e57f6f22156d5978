// Debian's packages, for the programs that tests need.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { exitCodeOf } from './tool.mjs';

const program = '/usr/bin/apt-get';

export function mayInstall() {
  return process.getuid?.() === 0 && existsSync(program);
}

/** Throws when it failed. */
export function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another installation may be under way; stdout belongs to the script's answer.
  const result = spawnSync(program, ['-o', 'DPkg::Lock::Timeout=120', ...args], { env, stdio: ['ignore', 2, 2] });
  if (exitCodeOf(result) !== 0) throw new Error(`apt-get ${args[0]} failed.`);
}

/** Without what is only recommended. */
export function installPackage(name) {
  aptGet('install', '-q', '-y', '--no-install-recommends', name);
}
