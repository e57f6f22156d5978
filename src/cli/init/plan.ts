// From what clients need, or no longer need, to the texts that files shall have. Nothing is written here.
import type { InitClient } from './client.js';
import { inFile, missingFolders, readClientFile, realPath, requireWritable } from './client-file.js';
import { applyEdits, removeEdits } from './edit/file-edit.js';
import { ownerOf, type FileRecord, type InitOptions, type InitRecord } from './record.js';
import type { Setup } from './setup.js';

export interface Change {
  readonly path: string;
  /** Null: there is no file. */
  readonly before: string | null;
  /** Null: it is removed. */
  readonly after: string | null;
  /** Removed with the file if they are empty then. */
  readonly folders?: readonly string[];
}

export interface Plan {
  readonly changes: readonly Change[];
  /** As it shall be once the changes are made. */
  readonly record: InitRecord;
}

export interface Wanted {
  readonly client: InitClient;
  readonly setup: Setup;
  readonly options: InitOptions;
}

export function planInit(wanted: readonly Wanted[], record: InitRecord): Plan {
  const clients = { ...record.clients };
  const files = { ...record.files };
  const texts: Texts = new Map();
  for (const { client, setup, options } of wanted) {
    const project = setup.scope === 'project' ? setup.folder : undefined;
    const owner = ownerOf(client.id, project);
    clients[owner] = options;
    const planned = client.files(setup).map((file) => ({ ...file, path: realPath(file.path, project) }));
    for (const { path, edits } of planned) {
      const before = texts.get(path)?.before ?? readClientFile(path);
      const current = texts.has(path) ? (texts.get(path)?.after ?? null) : before;
      const after = inFile(path, () => applyEdits(current ?? '', edits));
      if (after !== current) requireWritable(path);
      const known = files[path];
      const original = known === undefined ? before : texts.has(path) ? known.before : originalOf(known, before);
      texts.set(path, { before, after });
      const others = (known?.owners ?? []).filter((one) => one !== owner);
      // Clients share files of instructions only, and there is one paragraph for all.
      const folders = known?.folders ?? missingFolders(path);
      files[path] = { before: original, after, edits: [...edits], folders, owners: [...others, owner] };
    }
    // Files of an earlier run that are no longer needed, such as the monitor of an agent that had a name.
    const paths = new Set(planned.map(({ path }) => path));
    for (const path of Object.keys(files).filter(
      (one) => files[one]?.owners.includes(owner) === true && !paths.has(one),
    )) {
      release(path, owner, { files, texts });
    }
  }
  return { changes: changesIn(texts), record: { version: 1, clients, files } };
}

/** What a person changed since the last run stays, also when this one is undone. */
function originalOf(known: FileRecord, current: string | null): string | null {
  if (known.after === current) return known.before;
  return current === null ? null : (removeEdits(current, known.edits, known.before) ?? null);
}

export function planUndo(owners: readonly string[], record: InitRecord): Plan {
  const files = { ...record.files };
  const texts: Texts = new Map();
  for (const owner of owners) {
    for (const path of Object.keys(files).filter((one) => files[one]?.owners.includes(owner) === true)) {
      release(path, owner, { files, texts });
    }
  }
  const clients = Object.fromEntries(Object.entries(record.clients).filter(([owner]) => !owners.includes(owner)));
  return { changes: changesIn(texts), record: { version: 1, clients, files } };
}

type Texts = Map<string, Omit<Change, 'path'>>;

interface Drafts {
  readonly files: InitRecord['files'];
  readonly texts: Texts;
}

/** As it was before, if nobody changed it since; else without our entries. */
function release(path: string, owner: string, { files, texts }: Drafts): void {
  const known = files[path];
  if (known === undefined) return;
  const owners = known.owners.filter((one) => one !== owner);
  if (owners.length > 0) {
    files[path] = { ...known, owners };
    return;
  }
  delete files[path];
  const before = readClientFile(path);
  const after =
    before === known.after
      ? known.before
      : before === null
        ? null
        : (inFile(path, () => removeEdits(before, known.edits, known.before)) ?? known.before);
  if (after !== before) requireWritable(path);
  texts.set(path, { before, after, folders: known.folders });
}

function changesIn(texts: Texts): Change[] {
  return [...texts].flatMap(([path, change]) => (change.before === change.after ? [] : [{ path, ...change }]));
}
