// Compiles src into dist, only when something that decides the result has changed. Speaks on stderr only.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isEntry, root, runTool } from './tool.mjs';

const inputs = ['src', 'migrations', 'tsconfig.json', 'package-lock.json', 'scripts/build.mjs'];
const dist = join(root, 'dist');
const stamp = join(dist, '.stamp');
const lock = join(dist, '.lock');
const lockAgeMsMax = 5 * 60_000;

/** Answers the compiler's exit code, 0 when there was nothing to do. */
export async function build() {
  const hash = hashInputs();
  if (builtHash() === hash) return 0;
  await takeLock();
  try {
    // Another build may have done the work while this one waited.
    return builtHash() === hash ? 0 : compile(hash);
  } finally {
    rmSync(lock, { force: true });
  }
}

function compile(hash) {
  console.error('Building …');
  // A module whose source is gone must not stay importable; the stamp goes with the rest.
  for (const name of readdirSync(dist)) {
    if (join(dist, name) !== lock) rmSync(join(dist, name), { recursive: true });
  }
  const exitCode = runTool('typescript', 'tsc', { args: ['-p', root], stdout: 2 });
  if (exitCode !== 0) return exitCode;
  makeExecutable(join(dist, 'cli', 'main.js'));
  // Last: a build that was cut short leaves no stamp and is done again.
  writeFileSync(stamp, hash);
  return 0;
}

function hashInputs() {
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

/** Of the sources that dist was built from; undefined when there is no whole build. */
export function builtHash() {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
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
