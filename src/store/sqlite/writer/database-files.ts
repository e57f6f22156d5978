// Notices that the files of the database were removed or replaced under a running hub: what it commits then is lost.
import { statSync } from 'node:fs';

interface File {
  readonly path: string;
  /** Undefined until it is there: the log is made by the first write. */
  identity: { dev: number; ino: number } | undefined;
}

const ifThere = { throwIfNoEntry: false } as const;

export class DatabaseFiles {
  readonly #files: readonly File[];

  constructor(databasePath: string) {
    this.#files = [databasePath, `${databasePath}-wal`].map((path) => ({ path, identity: statSync(path, ifThere) }));
  }

  /** The path of a file that is no longer the one that was opened. Every commit asks this, so it makes nothing but the calls. */
  missing(): string | undefined {
    for (const file of this.#files) {
      const found = statSync(file.path, ifThere);
      const { identity } = file;
      if (identity === undefined) file.identity = found;
      else if (found?.ino !== identity.ino || found.dev !== identity.dev) return file.path;
    }
    return undefined;
  }
}
