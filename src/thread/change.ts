// Changes a thread: join, leave, add, remove, close and reopen.
import { auditEntry } from '../access/audit-entry.js';
import type { ThreadView } from '../contract/thread.js';
import { isAdmin, type NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Metrics } from '../ports/metrics.js';
import type { Appended, Store, ThreadChange } from '../ports/store.js';
import type { Wakeup } from '../ports/wakeup.js';
import { viewThread } from './view.js';

export interface ChangeThreadPorts {
  store: Pick<Store, 'changeThread'>;
  clock: Clock;
  metrics: Metrics;
  wakeup: Wakeup;
  announce: (sessionId: string, appended: readonly Appended[]) => void;
}

const actOf: Record<ThreadChange['kind'], string> = {
  join: 'join_thread',
  leave: 'leave_thread',
  add: 'add_participant',
  remove: 'remove_participant',
  close: 'close_thread',
  reopen: 'reopen_thread',
};

export async function changeThread(
  ports: ChangeThreadPorts,
  caller: NamedCaller,
  { threadId, change }: { threadId: string; change: ThreadChange },
): Promise<ThreadView & { success: boolean; result: string }> {
  const at = ports.clock.now();
  const who = 'participantId' in change ? { participantId: change.participantId } : {};
  const changed = await ports.store.changeThread({
    sessionId: caller.sessionId,
    threadId,
    change,
    by: caller.agentId,
    isAdmin: isAdmin(caller),
    at,
    audit: auditEntry(caller, at, actOf[change.kind], threadId, who),
    isPage: caller.isPage === true,
  });
  ports.metrics.copiesEnded('dead_lettered', changed.deadLettered);
  ports.announce(caller.sessionId, changed.notices);
  ports.wakeup.thread(caller.sessionId, changed.thread.id);
  return { success: true, result: changed.result, ...viewThread(changed.thread) };
}
