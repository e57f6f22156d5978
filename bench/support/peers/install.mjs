// What the peers need, without touching this project's own packages: libraries go to a cache folder, programs to the system.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Unavailable } from './work.mjs';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/coterie-bench-peers/', import.meta.url));
const libraries = {
  '@nats-io/jetstream': '3.4.0',
  '@nats-io/transport-node': '3.4.0',
  bullmq: '6.7.0',
  ioredis: '6.0.0',
  // The last one for Node 20.
  'pg-boss': '10.4.2',
};
/** The Debian package of each program. PostgreSQL is not among them: what starts it installs it, as for the tests. */
const programs = { 'redis-server': 'redis-server', 'nats-server': 'nats-server' };
const policyFile = '/usr/sbin/policy-rc.d';

export function installLibraries() {
  const manifest = JSON.stringify({ private: true, dependencies: libraries }, null, 2);
  const manifestFile = join(cache, 'package.json');
  const doneFile = join(cache, 'node_modules', '.installed');
  if (existsSync(doneFile) && readFileSync(doneFile, 'utf8') === manifest) return;
  mkdirSync(cache, { recursive: true });
  writeFileSync(manifestFile, manifest);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  execFileSync('npm', ['install', '--prefix', cache, ...quiet], { cwd: cache, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(doneFile, manifest);
}

/** As root on Debian; elsewhere the peers whose programs are missing are left out. */
export function installPrograms() {
  const missing = Object.entries(programs).filter(([name]) => whereIs(name) === undefined);
  if (missing.length === 0 || process.getuid?.() !== 0 || whereIs('apt-get') === undefined) return;
  withoutStartingServices(() => {
    const packages = missing.map(([, debianPackage]) => debianPackage);
    console.log(`Installing ${packages.join(', ')} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (...args) => execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    try {
      apt('update');
      apt('install', '-y', '--no-install-recommends', ...packages);
    } catch (error) {
      console.log(`They could not be installed: ${error.message}`);
    }
  });
}

export function library(name) {
  return createRequire(join(cache, 'package.json'))(name);
}

export function program(name) {
  const path = whereIs(name);
  if (path === undefined) throw new Unavailable(`${name} is missing (Debian package ${programs[name]})`);
  return path;
}

function whereIs(name) {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** Debian starts a service as soon as it is installed, unless this file says no. */
function withoutStartingServices(install) {
  const isOurs = !existsSync(policyFile);
  if (isOurs) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    if (isOurs) rmSync(policyFile);
  }
}
