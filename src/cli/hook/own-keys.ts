// The key pairs of this user's hooks: made once, readable by this user alone.
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { userFolder } from '../../config/which-folder.js';
import { newKeys, restoreKeys, saveKeys, type SavedKeys, type SignalKeys } from '../../signal/envelope/index.js';
import { makeDataFolder } from '../../store/sqlite/writer/data-folder.js';

const readableByOthers = 0o077;

/** Of hooks that start at the same time one makes the file, and the others read it. */
export async function ownKeys(folder = userFolder(process.env)): Promise<SignalKeys> {
  const file = join(folder, 'hook-keys.json');
  return (await read(file)) ?? (await make(folder, file));
}

async function read(file: string): Promise<SignalKeys | undefined> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (process.platform !== 'win32' && (found.mode & readableByOthers) !== 0) {
    throw new Error(`other users can read ${file}: remove it, a new one is made`);
  }
  // Written by `make` below; restoring checks that the keys belong together.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return restoreKeys(JSON.parse(readFileSync(file, 'utf8')) as SavedKeys);
}

async function make(folder: string, file: string): Promise<SignalKeys> {
  const keys = await newKeys(true);
  const draft = `${file}.${randomUUID()}`;
  makeDataFolder(folder);
  try {
    writeFileSync(draft, `${JSON.stringify(await saveKeys(keys))}\n`, { flag: 'wx', mode: 0o600 });
    linkSync(draft, file);
    return keys;
  } catch (error) {
    const made = await read(file);
    if (made === undefined) throw error;
    return made;
  } finally {
    rmSync(draft, { force: true });
  }
}
