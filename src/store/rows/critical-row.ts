// The critical thread row of both stores.
import type { Appended } from '../../ports/store.js';
import type { CriticalThread } from '../../thread/decide-critical.js';

export interface NewCriticalThread extends Omit<CriticalThread, 'opening'> {
  sessionId: string;
  threadId: string;
  opening: Appended;
}

export type CriticalRow = Omit<CriticalThread, 'required' | 'eligible'> & { required: string; eligible: string };

export const criticalColumns = 'opener, opening, wanted, required, eligible, deadline';

export function toCritical(row: CriticalRow): CriticalThread {
  return {
    ...row,
    required: JSON.parse(row.required) as string[],
    eligible: JSON.parse(row.eligible) as string[],
  };
}
