// Writes the files of a plan: all of them, or none.
import { HubError } from '../../contract/errors.js';
import { missingFolders, readClientFile, writeClientFile } from './client-file.js';
import type { Change, Plan } from './plan.js';
import { writeRecord, type InitRecord } from './record.js';

export interface Applied {
  readonly plan: Plan;
  /** As it is kept now. */
  readonly record: InitRecord;
  readonly isUndo: boolean;
  readonly env: NodeJS.ProcessEnv;
}

export function applyPlan({ plan, record, isUndo, env }: Applied): void {
  // A person may have taken a while to agree.
  for (const { path, before } of plan.changes) if (readClientFile(path) !== before) throw changedMeanwhile(path);
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

function changedMeanwhile(path: string): HubError {
  return new HubError('FILE_NOT_EDITABLE', `${path}: it was changed meanwhile.`, {
    hint: 'Nothing was written. Run this again.',
    details: { path },
  });
}
