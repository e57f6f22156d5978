// A notice that waits in an inbox, as both stores read it for a digest.
import type { NoticeKind } from '../../contract/notify.js';
import type { DigestedNotice } from '../../notify/digest.js';
import type { ThreadRecord } from '../../ports/store.js';

export interface NoticeRow {
  rank: number;
  seq: number;
  at: number;
  thread_id: string | null;
  extras: string;
}

/** None when its thread is gone. */
export function piledNotice({ extras }: NoticeRow, thread: ThreadRecord | undefined): DigestedNotice[] {
  // Written with every notice.
  const { notice } = JSON.parse(extras) as { notice?: { kind: NoticeKind; by: string } };
  if (notice === undefined || thread === undefined) return [];
  return [{ ...notice, threadId: thread.id, title: thread.title, isCritical: thread.isCritical }];
}
