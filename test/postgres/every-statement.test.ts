// An engine that spreads sessions over machines finds the right one by session_id: every statement on a session's data
// carries it. Runs every method of the store and looks at what reaches the server.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import type { ReviewPlace } from '../../dist/ports/transfer.js';
import { stateKinds } from '../../dist/contract/transfer/lines.js';
import { methods } from '../../dist/store/postgres/commands.js';
import { openHubLink } from '../../dist/store/postgres/connection/hub-link.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { cliAudit } from '../support/cli-audit.js';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';
import { columnsOfIndexes, gapsIn, hasGap } from './index-gaps.js';
import { maintenance, maintenanceNameOf, tablesWithoutSession } from './statement-rules.js';
import { walkSignal } from './walk-signal.js';
import { walkWake } from './walk-wake.js';

const sessionId = 's';
const statements = new Set<string>();
const called = new Set<string>();
let url = '';
const original = Reflect.get(Client.prototype, 'query') as (...given: unknown[]) => unknown;

beforeAll(async () => {
  Reflect.set(Client.prototype, 'query', function collect(this: Client, ...given: unknown[]) {
    const [first] = given;
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
    if (text !== undefined) statements.add(text);
    return Reflect.apply(original, this, given);
  });
  await walk();
});
afterAll(() => {
  Reflect.set(Client.prototype, 'query', original);
});

describe('every statement on a session’s data', () => {
  it('was seen: each method of the store was called', () => {
    expect([...called].toSorted()).toEqual([...methods, 'appendMessage'].toSorted());
    expect(statements.size).toBeGreaterThan(80);
  });

  it('names the session for each table it touches', () => {
    const found = [...statements].flatMap((text) => tablesWithoutSession(text).map((table) => `${table}: ${text}`));
    expect(found).toEqual([]);
  });

  it('is none of maintenance, which are these and no more', () => {
    const names = [...statements].flatMap((text) => maintenanceNameOf(text) ?? []);
    expect([...new Set(names)].toSorted()).toEqual(maintenance);
  });

  it('names it in the functions of the database, too', () => {
    const folder = new URL('../../migrations/postgres/', import.meta.url);
    const sql = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
    const bodies = sql.flatMap((text) => [...text.matchAll(/\$\$([\s\S]*?)\$\$/g)]).map(([, body = '']) => body);
    expect(bodies.length).toBeGreaterThan(2);
    expect(bodies.flatMap((body) => tablesWithoutSession(body))).toEqual([]);
  });

  it('finds its rows by the front of an index, also on tables that were empty when it was planned', async () => {
    const client = new Client(url);
    await client.connect();
    try {
      const indexes = await columnsOfIndexes(client);
      expect(indexes.size).toBeGreaterThan(20);
      const found: string[] = [];
      for (const text of Array.from(statements)) found.push(...(await gapsIn(client, text, indexes)));
      expect(found).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('would be found out if it did not', () => {
    expect(tablesWithoutSession('select seq from message where seq = $1')).toEqual(['message']);
    expect(tablesWithoutSession('delete from pending where agent_id = $1')).toEqual(['pending']);
    expect(
      tablesWithoutSession('select 1 from message m join delivery d on d.seq = m.seq where m.session_id = $1'),
    ).toEqual(['delivery']);
    expect(tablesWithoutSession('update agent set name = $1 where session_id = $2')).toEqual([]);
    const bySender = ['session_id', 'sender', 'seq'];
    expect(hasGap(bySender, '((session_id = p.session_id) AND (seq = p.seq))')).toBe(true);
    expect(hasGap(bySender, '((session_id = $1) AND (sender = p.sender))')).toBe(false);
  });
});

async function walk(): Promise<void> {
  url = (await databaseOf(tempFolder())) ?? '';
  const opened = await openPostgresStore({ url, onBatch() {}, onNotices() {}, onBug: console.error });
  const store = new Proxy(opened, {
    get(target, name) {
      called.add(String(name));
      return Reflect.get(target, name) as unknown;
    },
  });
  await agentsAndThreads(store);
  await mail(store);
  await looking(store);
  await transfer(store);
  await keys(store);
  await walkSignal(store, { sessionId, at, url });
  await walkWake(store, { sessionId, at });
  // Filled when it has been quiet for a moment.
  await eventually('words are filled', () => [...statements].some((text) => text.includes('insert into message_word')));
  await sessions(store);
  const link = await openHubLink(url);
  link.publish(['x']);
  await link.newestMail([{ sessionId, agentId: 'ben' }]);
  await link.lastSeqs([sessionId]);
  await link.close();
  await opened.close();
}

const at = Date.now();
const time = { now: at, monotonicNow: 0 };
const audit = cliAudit(sessionId);

async function agentsAndThreads(store: Store): Promise<void> {
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at };
  for (const id of ['ann', 'ben', 'cyn', 'dan']) {
    await store.registerAgent({ sessionId, id, ...nothing, onlyIfMissing: false });
  }
  await store.registerAgent({ sessionId, id: 'ann', ...nothing, name: 'Ann', onlyIfMissing: false });
  await store.noteSeen([{ sessionId, id: 'ann', at }]);
  await store.setGroups({ sessionId, groups: [{ name: 'g', members: ['ben', 'cyn'] }], at, audit });
  await store.setNotifyPrefs({ sessionId, agentId: 'ben', changes: { digestCount: 1 }, audit: null });
  await store.setNotifyTemplate({ sessionId, name: 'closed', text: 'Closed.', at, audit });
  const thread = { sessionId, title: 'T', creator: 'ann', isAdmin: false, isPrivate: false, at };
  const key = { key: 'k', hash: 'h', at, expiresAt: at + 1e6 };
  await store.createThread({ ...thread, threadId: 't', participants: ['ben'], critical: null, opening: null, key });
  const critical = { wanted: 1, required: [], deadline: at + 1e6 };
  const opening = planFor('ann', { threadId: 'c', content: 'Answer, please.' });
  await store.createThread({ ...thread, threadId: 'c', participants: ['ben'], critical, opening, key: null });
  const change = { sessionId, threadId: 't', by: 'ann', isAdmin: false, at, audit };
  await store.changeThread({ ...change, change: { kind: 'add', participantId: 'cyn' } });
  await store.changeThread({ ...change, change: { kind: 'remove', participantId: 'cyn' } });
  await store.changeThread({ ...change, change: { kind: 'close', summary: 'Done.' } });
  await store.changeThread({ ...change, change: { kind: 'reopen' } });
}

function planFor(agentId: string, draft: object) {
  const caller = {
    sessionId,
    agentId,
    capabilities: new Set(['send', 'read'] as const),
    owner: 'open',
    connectAs: String,
    grant: null,
    address: '',
  };
  return planSend(caller, operations.sendMessage.input.parse(draft), Date.now());
}

async function mail(store: Store): Promise<void> {
  const send = (agentId: string, draft: object) => store.appendMessage(planFor(agentId, draft));
  const source = { type: 'base64', mediaType: 'image/png', data: randomBytes(9).toString('base64') };
  await send('ann', { target: 'ben', content: [{ type: 'image', source }] });
  await send('ann', { target: 'ben', content: 'Tell me.', receipt: 'read', idempotencyKey: 'a' });
  await send('ann', { target: 'ben', content: 'Tell me.', receipt: 'read', idempotencyKey: 'a' });
  await send('ann', { target: 'g', content: 'To all of you.' });
  await send('ann', { target: 'nobody', content: 'Lost.' });
  await send('ann', { target: 'council', content: 'Kept.' });
  await send('ann', { target: 'dan', content: 'Soon over.', ttl: 1 });
  const answer = await send('ben', { threadId: 'c', content: 'Yes.' });
  if ('appended' in answer) await send('ann', { replyTo: answer.appended.id, content: 'Thanks.' });
  const wait = { sessionId, reader: 'ann', threadId: 'c', isAdmin: false, wanted: null, required: null };
  const lease = { token: 'one', isManual: false, ...time, leaseMs: 10_000 };
  await store.takeResponses({ ...wait, isLast: false, responsesMax: null, ...lease });
  const inbox = { sessionId, agentId: 'ben', filter: { wakingOnly: false }, limit: 10 };
  const taken = await store.leaseCopies({ ...inbox, ...lease, token: 'two', tokensMax: 8_000 });
  const held = { sessionId, agentId: 'ben', token: 'two', keys: taken.copies.map((copy) => copy.key) };
  await store.releaseLease({ ...held, keys: held.keys.slice(0, 1), unsent: false });
  await store.confirmLease({ ...held, at });
  await store.reopenCopies({ ...held, at });
  await store.leaseCopies({
    ...inbox,
    agentId: 'cyn',
    ...lease,
    token: 'three',
    isManual: true,
    leaseMs: -1,
    tokensMax: null,
  });
  await store.reap({ now: at + 5_000, monotonicNow: 0, runOutsMax: 1 });
  const { deadLetters } = await store.deadLetters({ sessionId, limit: 10, before: null });
  const letter = deadLetters.find(({ recipient }) => recipient === 'cyn');
  if (letter !== undefined) await store.replayDeadLetter({ sessionId, number: letter.number, now: at, audit });
  const other = deadLetters.find(({ recipient }) => recipient === 'nobody');
  if (other !== undefined) await store.discardDeadLetter({ sessionId, number: other.number, audit });
  await store.setGroups({ sessionId, groups: [{ name: 'council', members: ['ben', 'cyn'] }], at, audit });
  const kept = deadLetters.find(({ recipient }) => recipient === 'council');
  if (kept !== undefined) await store.replayDeadLetter({ sessionId, number: kept.number, now: at, audit });
  await store.removeAgent({ sessionId, id: 'dan', at, audit });
  await store.endRemovedInbox({ sessionId, agentId: 'dan' });
  await store.removeGroup({ sessionId, name: 'g', audit });
}

async function keys(store: Store): Promise<void> {
  await store.addPerson({ sessionId, id: 'pat', name: null, at, audit });
  const key = { sessionId, agentId: 'pat', capabilities: [], label: '', at, createdBy: 'cli', expiresAt: null, audit };
  await store.createKey({ id: 'one', hash: 'h', ...key, isOperator: true, isPerson: true });
  const signIn = { id: 'cookie', hash: 'h', expiresAt: at + 1e6 };
  await store.signInWithKey({ keyId: 'one', signIn, at, audit });
  const rights = { agentId: null, expiresAt: at + 1e6, isOperator: false, isPerson: false };
  const link = { id: 'o-1', claimHash: 'c', expiresAt: at + 1e6 };
  await store.createObserverLink({ ...key, ...rights, id: 'three', hash: 'h', link });
  await store.redeemObserverLink({ id: 'o-1', claimHash: 'c', signIn: { id: 'looks', hash: 'h' }, at, address: '' });
  const next = { id: 'two', hash: 'h', at, createdBy: 'cli', expiresAtMax: null, isOperator: true, audit };
  await store.rotateKey({ sessionId, replaces: 'one', oldUntil: at, ...next });
  await store.revokeKey({ sessionId: null, id: 'two', at, audit });
  await store.noteKeysUsed([{ id: 'two', at }]);
  for (const whose of [sessionId, null]) await store.listKeys({ sessionId: whose, limit: 5, before: null });
  await store.findKey({ id: 'one' });
  await store.keyState();
  await store.appendAudit(audit);
  await store.listAudit({ sessionId, actor: 'cli', act: 'a', since: 0, until: at, limit: 5, before: null });
  await store.pruneAudit({ at, before: at - 1, limit: 10 });
}

async function sessions(store: Store): Promise<void> {
  const profile = { application: null, annotations: {}, expiresAt: at, createdBySession: sessionId };
  await store.createSession({ sessionId: 'other', ...profile, at, audit });
  await store.expiredSessions({ now: at });
  await store.closeSession({ sessionId: 'other', bySession: sessionId, reason: null, at, audit });
  await store.sessionClosure({ sessionId: 'other' });
  await store.findSession({ sessionId: 'other' });
  for (const bySession of [sessionId, null]) await store.listSessions({ bySession, limit: 5, after: null });
  const feed = await store.readFeed({ sessionId, reader: { kind: 'all' }, afterSeq: 0, limit: 1 });
  const messageId = feed.messages[0]?.id ?? '';
  await store.redactMessage({ sessionId, messageId, by: 'ann', reason: null, at, audit });
  await store.pruneMessages({ sessionId, before: at + 1e6, afterSeq: 0 });
}

async function transfer(store: Store): Promise<void> {
  const { session, lastSeq } = (await store.exportHead({ sessionId })) ?? { session: null, lastSeq: 0 };
  const { messages: exported } = await store.exportMessages({ sessionId, after: 0, lastSeq, limit: 100 });
  const lines: object[] = session === null ? [] : [session];
  lines.push(...exported.flatMap(({ message, copies }) => [{ ...message, attachments: [] }, ...copies]));
  const attachment = { kind: 'attachment', hash: 'f'.repeat(64), mediaType: 'image/png', data: '' };
  lines.push(attachment, { ...exported[0]?.message, seq: lastSeq + 1, recipients: [], attachments: [attachment.hash] });
  for (const kind of stateKinds) {
    const query = { sessionId, kind, lastSeq, now: at, limit: 100 };
    lines.push(...(await store.exportState({ ...query, after: null })).lines);
    const after = {
      message: [0],
      deadLetter: [0],
      member: ['a', 'b'],
      criticalAnswer: ['a', 'b'],
      idempotencyKey: ['a', 'b'],
    };
    await store.exportState({ ...query, after: Object.hasOwn(after, kind) ? after[kind as 'member'] : ['a'] });
  }
  const importId = 'i';
  const chain = { lines: 0, sha256: '', counts: {} };
  const progress = { chain, sessionId, lastSeq, place: 0, key: null, message: null, isEnded: true };
  const staged = { sessionId, importId, part: 1, target: 'copy', at, progress };
  await store.stageImport({ ...staged, lines: lines.map((line) => JSON.stringify(line)).join('\n') });
  await store.findImport({ sessionId, importId });
  await store.importPart({ sessionId, importId, part: 1 });
  const run = { sessionId: 'copy', importId, at };
  await store.beginImport({ ...run, from: sessionId, createdBySession: null });
  await store.insertImported({ ...run, lines: lines.map((line) => JSON.stringify(line)), owner: 'open', salt: 1 });
  let place: ReviewPlace | null = { pass: 0, after: null };
  while (place !== null) place = await store.reviewImported({ ...run, place });
  await store.isBeingImported(run);
  while ((await store.clearImport({ ...run, keepsName: true })).hasMore);
  if (session !== null) await store.completeImport({ ...run, session, createdBySession: null, audit });
  await store.takeLeftImports({ importId, now: at });
  await store.deleteImport({ sessionId, importId });
  await store.pruneImports({ before: at });
}

async function looking(store: Store): Promise<void> {
  const ben = { sessionId, agentId: 'ben' };
  const readers = [{ kind: 'all' }, { kind: 'observer' }, { kind: 'agent', agentId: 'ben' }] as const;
  for (const reader of readers)
    await store.readActivity({ sessionId, reader, since: 0, until: Date.now(), buckets: 2 });
  for (const reader of readers) await store.readFeed({ sessionId, reader, afterSeq: 0, limit: 100 });
  const feed = await store.readFeed({ sessionId, reader: readers[0], afterSeq: 0, limit: 3 });
  const messageId = feed.messages[0]?.id ?? '';
  await store.findAgent({ sessionId, id: 'ann' });
  await store.agentKinds({ sessionId, ids: ['ann', 'ben'] });
  await store.listAgents({ sessionId, group: 'all', now: at });
  await store.recentlySeen({ since: 0 });
  await store.listGroups({ sessionId, now: at });
  await store.peekCopies({ ...ben, filter: { wakingOnly: false, from: 'ann' }, limit: 3, after: null, now: at });
  await store.fileCopies(ben);
  await store.inboxesToFile({ after: null, limit: 10 });
  await store.removedInboxes();
  await store.recentCopies({ ...ben, horizon: 10, before: null, limit: 10 });
  await store.findLease({ ...ben, token: 'two', count: 3, rank: 2, seq: 1 });
  await store.findLeased({ ...ben, ids: [messageId], upTo: 10 });
  await store.findRead({ ...ben, ids: [messageId] });
  await store.countUnread(ben);
  await store.receipts({ sessionId, messageId, now: at });
  await store.openingReceipts({ sessionId, threadId: 'c', now: at });
  await store.awaitedAnswers({ ...ben, threadIds: ['c'], now: at });
  await store.readNotifyPrefs(ben);
  await store.readNotifyTemplates({ sessionId });
  await store.readThread({ sessionId, threadId: 't', reader: 'ben' });
  await store.readThread({ sessionId, threadId: 'a title', reader: 'ben' });
  await store.threadsTitled({ ...ben, title: 'a title' });
  const everything = { status: null, participant: null, limit: 5, after: null, seesPrivate: true };
  await store.activeThreads({ sessionId });
  await store.listThreads({ sessionId, reader: 'ben', ...everything, ids: ['t000000000000'] });
  await store.listThreads({ sessionId, reader: 'ben', ...everything });
  const page = { afterSeq: null, beforeSeq: null, fromSeq: 0, limit: 5 };
  await store.readThreadMessages({ sessionId, threadId: 't', ...page });
  const nothing = { threadId: null, sender: null, recipient: null, type: null, since: null, until: null };
  const query = { sessionId, ...nothing, limit: 5, before: null, status: null, withDeliveries: true, now: at };
  for (const asked of [
    { sender: 'ann' },
    { threadId: 't' },
    { recipient: 'ben' },
    { recipient: 'ben', sender: 'ann' },
  ]) {
    await store.queryHistory({ ...query, ...asked });
  }
  const terms = [{ words: ['tell'], isPrefix: false }];
  for (const reader of readers) {
    const search = { sessionId, reader, terms, threadId: null, sender: null, type: null, since: null, until: null };
    await store.searchMessages({ ...search, limit: 5, position: null });
  }
  const part = { offset: 0, length: 4 };
  for (const reader of readers) {
    await store.readAttachment({ sessionId, reader, name: { messageId, index: 0 }, ...part });
    await store.readAttachment({ sessionId, reader, name: { hash: 'f'.repeat(64) }, ...part });
  }
  await store.readAttachments({ sessionId, hashes: ['f'.repeat(64)], bytesMax: 100 });
  await store.lastSeq({ sessionId });
  await store.seqOf({ sessionId, messageId });
  await store.tallies();
}
