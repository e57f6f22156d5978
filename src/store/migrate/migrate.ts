// Copies the sessions of a data folder into a database and verifies the copy. The hub of the folder may keep running: the
// next run copies what it writes meanwhile.
import { copyMessages } from './copy-messages.js';
import { ensureMarks } from './copy-marks.js';
import { advanceSequence, copyHubIdentity, copyKeys, copyState, ensureSession } from './copy-state.js';
import { requireNoForeignWrites } from './find-foreign-writes.js';
import type { Sides } from './side-by-side.js';
import { Source, type SourceSession } from './source.js';
import { accessKeys, allTables } from '../rows/tables.js';
import { asCopyError, Target } from './target.js';
import { verifySession, type Verdict } from './verify.js';

export interface MigrateOptions {
  from: string;
  to: string;
  /** Changes nothing. */
  isVerifyOnly: boolean;
  onProgress: (line: string) => void;
}

export interface Migrated {
  /** Rows written or removed, by table. */
  changed: ReadonlyMap<string, number>;
  verdicts: readonly Verdict[];
}

export async function migrate({ from, to, isVerifyOnly, onProgress }: MigrateOptions): Promise<Migrated> {
  const source = new Source(from, Date.now());
  try {
    const target = await Target.open(to, { isReadOnly: isVerifyOnly });
    try {
      await target.lock();
      const sides = { source, target };
      const sessions = source.sessions();
      const changed = isVerifyOnly ? new Map<string, number>() : await copy(sides, sessions, onProgress);
      return { changed, verdicts: await verify(sides, sessions, onProgress) };
    } catch (error) {
      throw asCopyError(error);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

async function copy(
  sides: Sides,
  sessions: readonly SourceSession[],
  onProgress: (line: string) => void,
): Promise<Map<string, number>> {
  const { source, target } = sides;
  const changed = new Map(allTables.map(({ name }) => [name, 0]));
  const add = (table: string, count: number) => changed.set(table, (changed.get(table) ?? 0) + count);
  await ensureMarks(target);
  await requireNoForeignWrites(sides, sessions);
  await copyHubIdentity(sides);
  for (const table of ['dead_letter', 'audit'] as const) {
    await advanceSequence(target, table, source.lastNumber(table));
  }
  for (const session of sessions) {
    await ensureSession(target, session);
    add(accessKeys.name, await copyKeys(sides, session.id));
  }
  for (const session of sessions) {
    const copied = await copyMessages(sides, session.id, (count) =>
      onProgress(`session ${session.id}: ${count} messages copied, up to ${source.lastSeq(session.id)}`),
    );
    add('message', copied.messages);
    add('attachment', copied.attachments);
    add('attachment_use', copied.attachmentUses);
    onProgress(`session ${session.id}: copying the state`);
    for (const [table, count] of await copyState(sides, session)) add(table, count);
  }
  return changed;
}

async function verify(
  sides: Sides,
  sessions: readonly SourceSession[],
  onProgress: (line: string) => void,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let checked = 0;
  for (const session of sessions) {
    const ofSession = await verifySession(sides, session, (rows) => {
      checked += rows;
      onProgress(`session ${session.id}: ${checked} rows checked`);
    });
    verdicts.push(...ofSession);
  }
  return verdicts;
}
