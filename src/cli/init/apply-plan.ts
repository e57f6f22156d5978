// Writes the files of a plan: all of them, or none. One run at a time: each keeps the whole record.
import { isDeepStrictEqual } from 'node:util';
import { HubError } from '../../contract/errors.js';
import { missingFolders, writeClientFile } from './client-file.js';
import type { Change, Plan } from './plan.js';
import { lockRecord, readRecord, writeRecord, type InitRecord } from './record.js';

export interface Applied {
  /** What a person was shown. */
  readonly shown: Plan;
  readonly planFor: (record: InitRecord) => Plan;
  readonly isUndo: boolean;
  readonly env: NodeJS.ProcessEnv;
}

export async function applyPlan({ shown, planFor, isUndo, env }: Applied): Promise<void> {
  const lock = await lockRecord(env);
  try {
    // A person may have taken a while to agree, and another run may have ended meanwhile.
    const record = readRecord(env);
    const plan = planFor(record);
    const changed = differing(shown.changes, plan.changes);
    if (changed !== undefined) throw changedMeanwhile(changed);
    write(plan, { record, isUndo, env });
  } finally {
    lock.close();
  }
}

function write(plan: Plan, { record, isUndo, env }: Pick<Applied, 'isUndo' | 'env'> & { record: InitRecord }): void {
  // What is kept covers what is written, also if this process ends in between.
  if (!isUndo) writeRecord(plan.record, env);
  const written: Change[] = [];
  try {
    for (const change of plan.changes) {
      const folders = change.folders ?? missingFolders(change.path);
      writeClientFile(change.path, change.after, folders);
      written.push({ ...change, folders });
    }
    if (isUndo) writeRecord(plan.record, env);
  } catch (error) {
    for (const { path, before, folders } of written.toReversed()) writeClientFile(path, before, folders);
    writeRecord(record, env);
    throw error;
  }
}

const isIn = (list: readonly Change[], change: Change) => list.some((one) => isDeepStrictEqual(one, change));

/** The path of a change that is in one list only. */
function differing(shown: readonly Change[], now: readonly Change[]): string | undefined {
  return [...shown.filter((one) => !isIn(now, one)), ...now.filter((one) => !isIn(shown, one))][0]?.path;
}

function changedMeanwhile(path: string): HubError {
  return new HubError('FILE_NOT_EDITABLE', `${path}: it was changed meanwhile.`, {
    hint: 'Nothing was written. Run this again.',
    details: { path },
  });
}
