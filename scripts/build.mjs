// Compiles src into dist and the web app into dist/web, each only when something that decides the result has changed.
// Speaks on stderr only.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkFirstView } from './first-view.mjs';
import { isEntry, root, runTool } from './tool.mjs';

const dist = join(root, 'dist');
const lock = join(dist, '.lock');
const lockAgeMsMax = 5 * 60_000;

/** A build that was cut short leaves no stamp and is done again. */
const hub = {
  inputs: ['src', 'migrations', 'tsconfig.json', 'package-lock.json', 'scripts/build.mjs', 'scripts/bundle.config.mjs'],
  stamp: join(dist, '.stamp'),
  make: compile,
};
const web = {
  // Of src it takes the contract's types and the envelope.
  inputs: [
    'web',
    'src/contract',
    'src/signal/envelope',
    'tsconfig.json',
    'package-lock.json',
    'scripts/first-view.mjs',
  ],
  stamp: join(dist, 'web', '.stamp'),
  make: bundle,
};
// A sample of the package may have no web app.
const builds = existsSync(join(root, 'web')) ? [hub, web] : [hub];

/** Answers the exit code of the tool that failed, 0 when there was nothing to do. */
export async function build() {
  if (builds.every(isBuilt)) return 0;
  await takeLock();
  try {
    for (const each of builds) {
      // Another build may have done the work while this one waited.
      const exitCode = isBuilt(each) ? 0 : make(each);
      if (exitCode !== 0) return exitCode;
    }
    return 0;
  } finally {
    rmSync(lock, { force: true });
  }
}

function make({ inputs, stamp, make: run }) {
  const hash = hashOf(inputs);
  const exitCode = run();
  if (exitCode === 0) writeFileSync(stamp, hash);
  return exitCode;
}

function compile() {
  console.error('Building …');
  // A module whose source is gone must not stay importable; the stamp goes with the rest.
  for (const name of readdirSync(dist)) {
    if (name !== 'web' && join(dist, name) !== lock) rmSync(join(dist, name), { recursive: true });
  }
  const compiled = runTool('typescript', 'tsc', { args: ['-p', root], stdout: 2 });
  if (compiled !== 0) return compiled;
  const bundled = runTool('vite', 'vite', {
    args: ['build', '--config', join(root, 'scripts', 'bundle.config.mjs')],
    stdout: 2,
  });
  if (bundled === 0) makeExecutable(join(dist, 'cli', 'main.js'));
  return bundled;
}

/** Vite empties dist/web first. The worker comes last, as it lists the files of the app. */
function bundle() {
  console.error('Building the web app …');
  for (const mode of ['production', 'worker']) {
    const args = ['build', '--config', join(root, 'web', 'vite.config.ts'), '--mode', mode];
    const exitCode = runTool('vite', 'vite', { args, stdout: 2 });
    if (exitCode !== 0) return exitCode;
  }
  return checkFirstView(join(dist, 'web'));
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((input) => listFiles(join(root, input)))) {
    const content = readFileSync(file);
    // The length keeps one file's end from passing for the next one's name.
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .toSorted();
}

function isBuilt({ inputs, stamp }) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(inputs);
}

/** Of the sources that dist was built from; undefined when there is no whole build. */
export function builtHash() {
  const hashes = builds.map(({ stamp }) => (existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined));
  return hashes.includes(undefined) ? undefined : hashes.join(' ');
}

// Two builds at once (`npm start` and `npm test`) would clear each other's files: the second waits for the first.
async function takeLock() {
  mkdirSync(dist, { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isLockAbandoned()) rmSync(lock, { force: true });
    else await sleep(100);
  }
}

function isLockAbandoned() {
  try {
    if (Date.now() - statSync(lock).mtimeMs > lockAgeMsMax) return true;
    const pid = Number(readFileSync(lock, 'utf8'));
    // In a container every run may get the same pid, so our own number is a former life's.
    return pid === process.pid || !isAlive(pid);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function makeExecutable(file) {
  try {
    chmodSync(file, 0o755);
  } catch {
    // Some file systems have no such bit; `node dist/cli/main.js` works there all the same.
  }
}

if (isEntry(import.meta.url)) process.exitCode = await build();
