// Installs the dependencies when node_modules is not what package-lock.json says. Speaks on stderr only, because
// stdout belongs to the hub's ready line.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodeOf, root } from './tool.mjs';

/** Answers the installer's exit code, 0 when there was nothing to do. */
export function install() {
  if (isInstalled()) return 0;
  console.error('Installing dependencies …');
  // Development dependencies too, even with NODE_ENV=production: the tools that build are among them.
  if (runNpm(['ci', '--include=dev']) === 0) return 0;
  // `npm ci` refuses a lock that lacks an optional package the registry has not got (npm/cli#9846), as happens with
  // binaries for other systems. `npm install --no-save` keeps to the lock as well, and does without such a package.
  console.error('Trying again, without the optional packages that are not to be had …');
  return runNpm(['install', '--no-save', '--include=dev']);
}

export function runNpm(args) {
  const options = { cwd: root, stdio: ['inherit', 2, 2] };
  // The npm that runs us, when it is npm: another package manager's program would not know these arguments.
  const parent = process.env.npm_execpath ?? '';
  if (parent.endsWith('npm-cli.js')) return exitCodeOf(spawnSync(process.execPath, [parent, ...args], options));
  if (process.platform !== 'win32') return exitCodeOf(spawnSync('npm', args, options));
  // On Windows npm is a .cmd file, which only a shell can start; one string, as Node deprecates args with a shell.
  const quoted = args.map((arg) => `"${arg}"`).join(' ');
  return exitCodeOf(spawnSync(`npm.cmd ${quoted}`, { ...options, shell: true }));
}

// The stamp is npm's own: it writes node_modules/.package-lock.json last, so an installation cut short has none, and
// one that a person made with `npm ci` counts too.
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const present = readPackages(join('node_modules', '.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const found = present[path];
    // An optional package for another system is in the lock and never in node_modules.
    if (found === undefined) return path === '' || optional === true;
    return found.version === version && found.integrity === integrity;
  });
}

function readPackages(lock) {
  try {
    return JSON.parse(readFileSync(join(root, lock), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}
