// What init wrote, in the user's own folder: how each file was before, and with which options a client was connected.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { userFolder } from '../../config/which-folder.js';
import { HubError } from '../../contract/errors.js';
import { makeDataFolder, replaceFile } from '../../store/sqlite/writer/data-folder.js';
import type { Database } from '../../store/sqlite/writer/driver.js';
import { takeFileLock } from '../../store/sqlite/writer/file-lock.js';
import type { FileEdit } from './edit/file-edit.js';

const path = z.array(z.string());
const editForm = z.union([
  z.object({ form: z.enum(['json', 'json-item', 'json-default']), path, value: z.unknown() }),
  z.object({
    form: z.literal('toml'),
    table: z.object({ name: path, pairs: z.array(z.tuple([z.string(), z.string()])), excludes: path }),
  }),
  z.object({ form: z.enum(['paragraph', 'whole']), text: z.string() }),
]);

const edit = z.custom<FileEdit>((value) => editForm.safeParse(value).success);

const recordForm = z.object({
  version: z.literal(1),
  /** By what was connected: `claude`, or `claude /a/project`. */
  clients: z.record(
    z.string(),
    z.object({
      agent: z.string().optional(),
      url: z.string().optional(),
      data: z.string().optional(),
      keyFile: z.string().optional(),
    }),
  ),
  files: z.record(
    z.string(),
    z.object({
      /** Null: there was no file. */
      before: z.string().nullable(),
      after: z.string(),
      edits: z.array(edit),
      /** Folders that were made for it, the innermost first. */
      folders: z.array(z.string()),
      /** Who needs it: of a file that clients share, the last one takes it back. */
      owners: z.array(z.string()),
    }),
  ),
});

export type InitRecord = z.infer<typeof recordForm>;
export type InitOptions = InitRecord['clients'][string];
export type FileRecord = InitRecord['files'][string];

export function ownerOf(client: string, project: string | undefined): string {
  return project === undefined ? client : `${client} ${project}`;
}

function recordFile(env: NodeJS.ProcessEnv): string {
  return join(userFolder(env), 'init.json');
}

export function readRecord(env: NodeJS.ProcessEnv): InitRecord {
  const file = recordFile(env);
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { version: 1, clients: {}, files: {} };
  }
  try {
    return recordForm.parse(JSON.parse(text));
  } catch (cause) {
    throw new HubError('FILE_NOT_EDITABLE', `${file}: this is not what coterie init wrote.`, {
      hint: 'Move it away. What was written before cannot be undone by init then.',
      cause,
    });
  }
}

/** Far longer than a run takes to write. */
const lockMsMax = 15_000;
const lockEveryMs = 50;

/** Held while the record is read, changed and written; it ends with the process. */
export async function lockRecord(env: NodeJS.ProcessEnv): Promise<Database> {
  makeDataFolder(userFolder(env));
  const file = join(userFolder(env), 'init.lock');
  const lastAt = performance.now() + lockMsMax;
  for (;;) {
    const lock = takeFileLock(file);
    if (lock !== undefined) return lock;
    if (performance.now() > lastAt) break;
    await sleep(lockEveryMs);
  }
  throw new HubError('FILE_NOT_EDITABLE', `${file}: another coterie init is writing.`, {
    hint: 'Nothing was written. Run this again when it has ended.',
  });
}

/** For the user alone: settings of clients may contain secrets of other services. */
export function writeRecord(record: InitRecord, env: NodeJS.ProcessEnv): void {
  makeDataFolder(userFolder(env));
  replaceFile(recordFile(env), `${JSON.stringify(record)}\n`);
}
