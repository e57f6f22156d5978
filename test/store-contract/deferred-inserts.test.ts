// Rows of one batch go in together: whoever reads in between sees them, and one that cannot be stored fails alone.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import { runBatch, type CommandCall } from '../../dist/store/sqlite/writer/batch.js';
import type { Database } from '../../dist/store/sqlite/writer/driver.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { packSend } from '../../dist/store/sqlite/send/packed-send.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { tempFolder } from '../support/temp-folder.js';
import { openCaller } from '../support/open-caller.js';

const sessionId = 'default';
let folder: string;
let database: Database;
let tx: Tx;

beforeEach(() => {
  folder = tempFolder();
  database = openStoreDatabase({ folder, storeMaxBytes: null });
  tx = new Tx(database);
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  runBatch(tx, [
    ['registerAgent', { sessionId, id: 'ann', ...nothing }],
    ['registerAgent', { sessionId, id: 'ben', ...nothing }],
  ]);
});
afterEach(() => {
  database.close();
});

const callerNamed = (agentId: string) => ({ ...caller, agentId });
const caller = openCaller(sessionId, 'ann');
function send(content: string, more: Record<string, unknown> = {}, from = 'ann'): CommandCall {
  const draft = operations.sendMessage.input.parse({ content, target: 'ben', ...more });
  return ['appendPacked', packSend(planSend(callerNamed(from), draft, 1))];
}
const lease: CommandCall = [
  'leaseCopies',
  {
    sessionId,
    agentId: 'ben',
    filter: { wakingOnly: true },
    limit: 500,
    token: 'one',
    isManual: false,
    now: 1,
    monotonicNow: 0,
    leaseMs: 1_000,
  },
];
const stored = () =>
  database.prepare('select seq, n, content from message order by n').all() as {
    seq: number;
    n: number;
    content: string;
  }[];

it('a reader in the middle of the batch takes what was sent before it, not what came after', () => {
  const sends = (from: number, count: number) => Array.from({ length: count }, (_, index) => send(`m${from + index}`));
  const answers = runBatch(tx, [...sends(0, 45), lease, ...sends(45, 3)]);
  const taken = answers[45] as { ok: { copies: { message: { content: { text: string }[] } }[] } };
  expect(taken.ok.copies.map(({ message }) => message.content[0]?.text)).toEqual(
    Array.from({ length: 45 }, (_, index) => `m${index}`),
  );
  expect(stored().map(({ seq }) => seq)).toEqual(Array.from({ length: 48 }, (_, index) => index + 1));
  const [left] = runBatch(tx, [['countUnread', { sessionId, agentId: 'ben' }]]);
  expect(left).toEqual({ ok: 3 });
});

it('unusual sends keep every field on their way to the writer', () => {
  const draft = {
    priority: 'high',
    payload: { a: 1 },
    context: 'why',
    ttl: 60,
    metadata: { b: 2 },
    messageType: 'QUERY',
  };
  runBatch(tx, [send('full', draft), send('plain')]);
  const [taken] = runBatch(tx, [lease]) as [{ ok: { copies: { message: Record<string, unknown> }[] } }];
  expect(taken.ok.copies[0]?.message).toMatchObject({
    priority: 'high',
    payload: { a: 1 },
    context: 'why',
    metadata: { b: 2 },
    type: 'QUERY',
    expiresAt: 60_001,
  });
  expect(taken.ok.copies[1]?.message).toMatchObject({
    priority: 'normal',
    payload: null,
    metadata: {},
    expiresAt: null,
  });
});

it('rows that cannot go in together are undone, and stored one by one', () => {
  runBatch(tx, [send('first')]);
  // Behind the writer's back: the seq it will use next is taken.
  database.exec(`insert into message (n, session_id, seq, sender, at, rank, role, priority, action, urgent, content, recipients)
    values (900, '${sessionId}', 2, 'ann', 1, 2, 'ASSISTANT', 'normal', 'queue', 0, '[]', '[]')`);
  const answers = runBatch(tx, [send('second'), send('third')]);
  expect(answers.map((answer) => ('ok' in answer ? 'ok' : answer.refused.code))).toEqual(['ok', 'ok']);
  // Undone together, then stored one by one with what the store really holds.
  expect(stored().map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
});

it('a refusal beside others’ sends undoes nothing: the loop guard keeps count', () => {
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  runBatch(tx, [['registerAgent', { sessionId, id: 'cas', ...nothing }]]);
  const codes: string[] = [];
  for (let turn = 0; turn < 100; turn++) {
    const isAnn = turn % 2 === 0;
    const mine = send('again', { target: isAnn ? 'ben' : 'ann' }, isAnn ? 'ann' : 'ben');
    // The lookup of the second one's thread makes the first one's rows go in; its refusal is its own.
    const others = [send('beside', { target: 'ben' }, 'cas'), send('nowhere', { target: undefined, threadId: 'none' })];
    const answers = runBatch(tx, [...others, mine]);
    codes.push(...answers.slice(2).map((answer) => ('ok' in answer ? 'ok' : answer.refused.code)));
  }
  expect(codes.indexOf('LOOP_GUARD')).toBe(61);
});
