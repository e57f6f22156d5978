// A pending notice, as both stores read it for a digest.
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

/** Empty when its thread does not exist. */
export function digestedNotice({ extras }: NoticeRow, thread: ThreadRecord | undefined): DigestedNotice[] {
  // Safe: every notice is written with this field.
  const { notice } = JSON.parse(extras) as { notice?: { kind: NoticeKind; by: string } };
  if (notice === undefined || thread === undefined) return [];
  return [{ ...notice, threadId: thread.id, title: thread.title, isCritical: thread.isCritical }];
}
