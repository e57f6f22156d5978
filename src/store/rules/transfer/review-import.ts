// Looks through what was imported, some rows at a time: everything that a row refers to must be there, and what changed while
// the export was made is put right.
import { threadIdPattern } from '../../../contract/ids.js';
import { importInvalid } from '../../../session/transfer/decide-import.js';
import type { ImportRun, Position, ReviewPlace } from '../../../ports/transfer.js';
import { tableCalled } from '../../rows/transfer-rows.js';
import { attachmentUses } from '../../rows/tables.js';
import { rangeSql, rangeAfter, type KeyRange } from '../../sql/key-range.js';
import { requireRun } from './import-session.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

/** Rows of one step. */
const rowsPerStep = 500;

interface Pass {
  table: string;
  key: readonly string[];
  review: (tx: Statements, sessionId: string, range: KeyRange) => Steps<void>;
}

/** The next rows. Null at the end. */
export function* reviewImported(tx: Statements, plan: ImportRun & { place: ReviewPlace }): Steps<ReviewPlace | null> {
  const { sessionId, place } = plan;
  yield* requireRun(tx, plan);
  const pass = passes[place.pass];
  if (pass === undefined) return null;
  const range = yield* rangeAfter(tx, pass, { sessionId, after: place.after, limit: rowsPerStep });
  yield* pass.review(tx, sessionId, range);
  const after: Position | null = range.upTo;
  return after === null ? { pass: place.pass + 1, after: null } : { pass: place.pass, after };
}

/** `missing`: of a row `t`, that what it refers to is not there; `id` names it. */
function* require(
  tx: Statements,
  { table, id, missing, what }: { table: string; id: string; missing: string; what: string },
  { sessionId, range }: { sessionId: string; range: KeyRange },
): Steps<void> {
  const { where, values } = rangeSql(range);
  // uses the table's key
  const found = yield* tx.get<{ id: string }>(
    `select t.${id} as id from ${table} t where t.session_id = ? and ${where} and ${missing} limit 1`,
    [sessionId, ...values],
  );
  if (found !== undefined) throw importInvalid(`it has ${what}: ${found.id}`);
}

function isMissing(table: string, condition: string): string {
  return `not exists (select 1 from ${table} o where o.session_id = t.session_id and ${condition})`;
}

type Reference = Omit<Parameters<typeof require>[1], 'table'>;

/** A pass that looks for references only. */
function checks(table: string, key: readonly string[], references: readonly Reference[]): Pass {
  return {
    table,
    key,
    *review(tx, sessionId, range) {
      for (const reference of references) yield* require(tx, { table, ...reference }, { sessionId, range });
    },
  };
}

function keyOf(table: string): readonly string[] {
  return tableCalled(table).key;
}

/**
 * Of removed agents only messages remain, so senders may be missing; so may any message but the newest, also the opening of a
 * critical thread that is closed: --retain-days deletes old ones.
 */
const passes: readonly Pass[] = [
  checks('member', keyOf('member'), [
    {
      id: 'thread_id',
      missing: isMissing('thread', 'o.id = t.thread_id'),
      what: 'a member of a thread that is not in it',
    },
    {
      id: 'agent_id',
      missing: isMissing('agent', 'o.id = t.agent_id'),
      what: 'a thread’s member who is no agent in it',
    },
  ]),
  checks('thread', keyOf('thread'), [
    {
      id: 'id',
      missing: `t.is_critical = 1 and ${isMissing('critical_thread', 'o.thread_id = t.id')}`,
      what: 'a critical thread without its facts',
    },
  ]),
  checks('critical_thread', keyOf('critical_thread'), [
    {
      id: 'thread_id',
      missing: isMissing('thread', 'o.id = t.thread_id and o.is_critical = 1'),
      what: 'the facts of a critical thread that is not in it',
    },
  ]),
  checks('critical_answer', keyOf('critical_answer'), [
    {
      id: 'thread_id',
      missing: isMissing('critical_thread', 'o.thread_id = t.thread_id'),
      what: 'an answer in a critical thread that is not in it',
    },
  ]),
  checks('attachment_use', attachmentUses.key, [
    {
      id: 'hash',
      missing: isMissing('attachment', 'o.hash = t.hash'),
      what: 'an attachment’s use without the attachment',
    },
  ]),
  checks(
    'attachment',
    ['hash'],
    [
      {
        id: 'hash',
        missing: isMissing('attachment_use', 'o.hash = t.hash'),
        what: 'an attachment that no message uses',
      },
    ],
  ),
  checks('agent', keyOf('agent'), [
    {
      id: 'id',
      missing: 'exists (select 1 from agent_group g where g.session_id = t.session_id and g.name = t.id)',
      what: 'a name that is both an agent and a group',
    },
  ]),
  checks('pending', keyOf('pending'), [
    {
      id: 'agent_id',
      missing: isMissing('agent', 'o.id = t.agent_id'),
      what: 'a pending copy for an agent that is not in it; if it was removed during the export, export again. The agent',
    },
  ]),
  { table: 'message', key: ['seq'], review: requireThreads },
  { table: 'pending', key: keyOf('pending'), review: freeCopiesOfEndedDigests },
  {
    table: 'dead_letter',
    key: ['id'],
    *review(tx, sessionId, range) {
      yield* tx.dropLettersSentAgain(sessionId, range);
    },
  },
];

/** Any other text is a label, which needs no thread. */
function* requireThreads(tx: Statements, sessionId: string, range: KeyRange): Steps<void> {
  const { where, values } = rangeSql(range);
  // uses message_by_seq, or message's key
  const labels = yield* tx.all<{ id: string }>(
    `select distinct t.thread_id as id from message t
     where t.session_id = ? and ${where} and t.thread_id > 't' and t.thread_id < 'u' and length(t.thread_id) = 13
       and ${isMissing('thread', 'o.id = t.thread_id')}`,
    [sessionId, ...values],
  );
  const foreign = labels.find(({ id }) => threadIdPattern.test(id));
  if (foreign !== undefined) throw importInvalid(`it has a message of a thread that is not in it: ${foreign.id}`);
}

/** The digest was read after its notices were exported. */
function* freeCopiesOfEndedDigests(tx: Statements, sessionId: string, range: KeyRange): Steps<void> {
  const { where, values } = rangeSql(range, 'pending');
  // uses pending's key
  yield* tx.run(
    `update pending set digest = null where pending.session_id = ? and ${where} and digest is not null and not exists
       (select 1 from pending d where d.session_id = pending.session_id and d.agent_id = pending.agent_id
          and d.lane in (0, 1) and d.rank in (0, 1, 2, 3) and d.seq = pending.digest)`,
    [sessionId, ...values],
  );
}
