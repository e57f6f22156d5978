// The keys of a program that encrypts beside an agent, and the devices it has seen: a file for this user alone.
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { HubError } from '../contract/errors.js';
import { publicKeys, type PublicKeys } from '../contract/signal/signal.js';
import { newKeys, restoreKeys, saveKeys, type SignalKeys } from '../signal/envelope/index.js';

const readableByOthers = 0o077;
const bytesMax = 1024 * 1024;

const memoryFile = z.object({
  version: z.literal(1),
  /** PKCS #8, base64url. */
  keys: z.object({ encryption: z.string(), signing: z.string(), public: publicKeys }),
  seen: z.record(z.string(), publicKeys),
});

type Memory = z.output<typeof memoryFile>;

/** Of programs that start at the same time one makes the file, and the others read it. */
export function programMemory(file: string): {
  keys(): Promise<SignalKeys>;
  seen(): Promise<Record<string, PublicKeys>>;
  noteSeen(devices: Readonly<Record<string, PublicKeys>>): Promise<void>;
} {
  let keys: Promise<SignalKeys> | undefined;
  const memory = async () => read(file) ?? (await make(file));
  return {
    keys: () => (keys ??= memory().then((found) => restoreKeys(found.keys))),
    seen: async () => (await memory()).seen,
    async noteSeen(devices) {
      const found = await memory();
      // What was seen first stays.
      replace(file, { ...found, seen: { ...devices, ...found.seen } });
    },
  };
}

function read(file: string): Memory | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (process.geteuid !== undefined && (found.mode & readableByOthers) !== 0) {
    throw unusable(file, 'other users can read it');
  }
  try {
    if (found.size > bytesMax) throw new Error('it is too long');
    return memoryFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw unusable(file, 'it is damaged', cause);
  }
}

async function make(file: string): Promise<Memory> {
  const memory: Memory = { version: 1, keys: await saveKeys(await newKeys(true)), seen: {} };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = drafted(file, memory);
  try {
    linkSync(draft, file);
    return memory;
  } catch (error) {
    const made = read(file);
    if (made === undefined) throw error;
    return made;
  } finally {
    rmSync(draft, { force: true });
  }
}

function replace(file: string, memory: Memory): void {
  renameSync(drafted(file, memory), file);
}

function drafted(file: string, memory: Memory): string {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(memory)}\n`, { flag: 'wx', mode: 0o600 });
  return draft;
}

function unusable(file: string, why: string, cause?: unknown): HubError {
  return new HubError('USAGE', `The keys in ${file} cannot be used: ${why}.`, {
    hint: `Make it readable for you alone (chmod 600), or remove it: answers that wait for its keys are lost then.`,
    cause,
  });
}
