// Which messages retention may delete, as a condition on message `m`. The same in both stores but for their JSON.

/**
 * No copy is in an inbox, or was until lately: its reader may still say that it did not arrive, or look again. No dead
 * letter waits to be replayed, and no critical thread that is still open needs it. `pendingCopies` is SQL for the rows of
 * its copies that are in an inbox, `isCopyEnded` for a row `e` of delivery that is one; the parameter is the time before
 * which it must have ended. Uses delivery's key, dead_letter_by_seq, and the keys of critical_thread, thread and
 * critical_answer.
 */
export function isPrunable(pendingCopies: string, isCopyEnded: string): string {
  return `not exists (${pendingCopies})
    and not exists (select 1 from delivery e where e.session_id = m.session_id and ${isCopyEnded} and e.at >= ?)
    and not exists (select 1 from dead_letter d
      where d.session_id = m.session_id and d.seq = m.seq and d.reason <> 'EXPIRED')
    and not exists (select 1 from critical_thread c
      join thread t on t.session_id = c.session_id and t.id = c.thread_id and t.status = 'open'
      where c.session_id = m.session_id and c.thread_id = m.thread_id and (c.opening = m.seq or exists
        (select 1 from critical_answer a where a.session_id = c.session_id and a.thread_id = c.thread_id
          and a.seq = m.seq)))`;
}

/** The copy of recipient `r`, by pending's key; `lane` is SQL for the lanes. */
export function isCopyInInbox(lane: string): string {
  return `p.session_id = m.session_id and p.agent_id = r.value and p.lane ${lane} and p.rank = m.rank and p.seq = m.seq`;
}
