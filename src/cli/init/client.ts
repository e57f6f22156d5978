// A client that init can connect.
import type { FileEdit } from './edit/file-edit.js';
import type { Places, Scope, Setup } from './setup.js';

export interface PlannedFile {
  readonly path: string;
  readonly edits: readonly FileEdit[];
}

export interface InitClient {
  readonly id: string;
  readonly title: string;
  /** Its programs, of which one is on the PATH where it is installed. */
  readonly programs: readonly string[];
  /** Files and folders that are there once it has run. */
  readonly traces: (places: Places) => readonly string[];
  readonly scopes: readonly Scope[];
  readonly files: (setup: Setup) => readonly PlannedFile[];
  /** Where its entry for the hub is, for doctor. */
  readonly entry: (places: Places, scope: Scope) => EntryPlace;
  /** What the person must still do or know. */
  readonly notes: (setup: Setup) => readonly string[];
}

export interface EntryPlace {
  readonly path: string;
  /** In a JSON file; of TOML it is the table. */
  readonly keys: readonly string[];
  readonly form: 'json' | 'toml';
}
