// Filing: copies of a deep inbox get the columns of their messages, so that a filtered read finds them by an index. Sends do not
// file, and short inboxes are scanned. SQL that is the same in both databases.
import type { Filed } from '../rows/filed-ranges.js';
import type { Inbox, Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

/** An inbox with fewer copies is scanned, and so is what is not filed yet of a deeper one. */
export const copiesScanned = 500;
/** One step is one transaction: it must not hold up sends. */
const filedPerStep = 500;
/** Of a deep inbox the filer leaves at most so many, so that a read finds fewer than it may scan. */
const unfiledMax = copiesScanned / 2;

/** Whether more copies than a filtered read may scan are in these lanes. */
export function* isDeep(tx: Statements, { sessionId, agentId }: Inbox, lanes: readonly number[]): Steps<boolean> {
  for (const lane of lanes) {
    // uses pending's key
    const row = yield* tx.get(
      'select 1 as one from pending where session_id = ? and agent_id = ? and lane = ? limit 1 offset ?',
      [sessionId, agentId, lane, copiesScanned],
    );
    if (row !== undefined) return true;
  }
  return false;
}

/** How far a filtered read of this inbox may go. It scans what is not filed as long as that is little. */
export function* filedOf(tx: Statements, { sessionId, agentId }: Inbox): Steps<Filed> {
  const upTo = yield* markOf(tx, { sessionId, agentId });
  const parts = places.map(
    ({ lane, rank }, index) => `select ${rank} as rank from (select seq from pending
       where session_id = ? and agent_id = ? and lane = ${lane} and rank = ${rank} and seq > ? limit ?) part${index}`,
  );
  // uses pending's key, once per lane and rank
  const found = yield* tx.all<{ rank: number; count: number }>(
    `select rank, count(*) as count from (${parts.join(' union all ')}) parts group by rank order by rank`,
    places.flatMap(() => [sessionId, agentId, upTo, copiesScanned + 1]),
  );
  let count = 0;
  for (const each of found) {
    count += each.count;
    if (count > copiesScanned) return { upTo, endsInRank: each.rank };
  }
  return { upTo, endsInRank: null };
}

/** Of the next agents the inboxes that the filer has to file. `last`: the look goes on after this one; null: it was the end. */
export function* inboxesToFile(
  tx: Statements,
  { after, limit }: { after: Inbox | null; limit: number },
): Steps<{ inboxes: Inbox[]; last: Inbox | null }> {
  // uses the keys of agent and pending
  const agents = yield* tx.all<Inbox & { copies: number; mark: number | null }>(
    `/* all sessions: inboxes to file */ select a.session_id as "sessionId", a.id as "agentId", a.filed_seq as mark,
       (select count(*) from (select 1 as one from pending p
         where p.session_id = a.session_id and p.agent_id = a.id limit ?) counted) as copies
     from agent a where (a.session_id, a.id) > (?, ?) order by a.session_id, a.id limit ?`,
    [copiesScanned + 1, after?.sessionId ?? '', after?.agentId ?? '', limit],
  );
  const inboxes: Inbox[] = [];
  for (const { sessionId, agentId, copies, mark } of agents) {
    if (copies <= copiesScanned) continue;
    const inbox = { sessionId, agentId };
    const { count } = yield* notFiled(tx, inbox, { after: mark ?? 0, limit: unfiledMax + 1 });
    if (count > unfiledMax) inboxes.push(inbox);
  }
  const last = agents.length < limit ? undefined : agents.at(-1);
  return { inboxes, last: last === undefined ? null : { sessionId: last.sessionId, agentId: last.agentId } };
}

/** One step. */
export function* fileCopies(tx: Statements, { sessionId, agentId }: Inbox): Steps<{ count: number; hasMore: boolean }> {
  const inbox = { sessionId, agentId };
  const mark = yield* markOf(tx, inbox);
  const { count, last } = yield* notFiled(tx, inbox, { after: mark, limit: filedPerStep });
  if (last === null) return { count: 0, hasMore: false };
  yield* tx.fileCopies(inbox, { from: mark + 1, to: last });
  // uses agent's key; another hub may have come further
  yield* tx.run(
    'update agent set filed_seq = ? where session_id = ? and id = ? and (filed_seq is null or filed_seq < ?)',
    [last, sessionId, agentId, last],
  );
  return { count, hasMore: count === filedPerStep };
}

function* markOf(tx: Statements, { sessionId, agentId }: Inbox): Steps<number> {
  // uses agent's key
  const row = yield* tx.get<{ seq: number | null }>(
    'select filed_seq as seq from agent where session_id = ? and id = ?',
    [sessionId, agentId],
  );
  return row?.seq ?? 0;
}

const places = [0, 1].flatMap((lane) => [0, 1, 2, 3].map((rank) => ({ lane, rank })));

/** The first copies after the mark, in the order of their seqs. */
function* notFiled(
  tx: Statements,
  { sessionId, agentId }: Inbox,
  { after, limit }: { after: number; limit: number },
): Steps<{ count: number; last: number | null }> {
  // uses pending's key, once per lane and rank
  const parts = places.map(
    ({ lane, rank }, index) => `select seq from (select seq from pending
       where session_id = ? and agent_id = ? and lane = ${lane} and rank = ${rank} and seq > ?
       order by seq limit ?) part${index}`,
  );
  const found = yield* tx.get<{ count: number; last: number | null }>(
    `select count(*) as count, max(seq) as last
     from (select seq from (${parts.join(' union all ')}) parts order by seq limit ?) found`,
    [...places.flatMap(() => [sessionId, agentId, after, limit]), limit],
  );
  return found ?? { count: 0, last: null };
}
