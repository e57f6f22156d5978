// The store beside the model: one session of it per run, and what must hold of the whole session.
import { expect } from 'vitest';
import type { MessageRecord, Store } from '../../dist/ports/store.js';
import type { Letter } from './inbox-commands-send.js';
import { Inbox, isOpen, type Copy, type Word } from './inbox-model.js';
import { addCopy, bury } from './inbox-sending.js';

/** A store of its own that can be stopped and started again on what it wrote. */
export interface StoreUnderTest {
  store: Store;
  /** By several hubs: a hub that starts again changes no lease, and calls made at once have no order. */
  readonly isShared: boolean;
  /** As a new process does it: with a clock that begins again at 0. */
  restart(): Promise<Store>;
  close(): Promise<void>;
}

/** What a store reports as a bug fails the run. */
export function fail(what: string, detail: string): never {
  throw new Error(`${what}: ${detail}`);
}

export type OpenStore = () => Promise<StoreUnderTest>;

export const manualLeaseMs = 30_000;
export const runOutsMax = 2;
/** Small enough to be reached. */
export const inboxMax = 8;

export const agentIds = ['ann', 'ben', 'cid'];
export const threadIds = ['plain', 'critical'];

const sessionPageMax = 10_000;

export class World {
  readonly opened: StoreUnderTest;
  readonly sessionId: string;
  /** Letters that had a key: to be sent again. */
  readonly keyed: Letter[] = [];
  #earlierMessages = 0;
  #tokens = 0;
  /** Reader and seq of every copy handed out unmarked. */
  readonly #unmarked = new Set<string>();

  constructor(opened: StoreUnderTest, sessionId: string) {
    this.opened = opened;
    this.sessionId = sessionId;
  }

  get store(): Store {
    return this.opened.store;
  }

  async begin(now: number): Promise<Inbox> {
    const { store, sessionId } = this;
    this.#earlierMessages = (await store.tallies()).messages;
    const model = new Inbox(now);
    for (const id of agentIds) await this.register(model, id);
    const plain = { isAdmin: false, isPrivate: false, opening: null, at: now, key: null };
    for (const threadId of threadIds) {
      const isCritical = threadId === 'critical';
      const people = { creator: 'ann', participants: agentIds };
      const critical = isCritical ? { wanted: 0, required: [], deadline: now } : null;
      await store.createThread({ sessionId, threadId, title: threadId, ...people, critical, ...plain });
      model.threads.set(threadId, { members: [...agentIds], isOpen: true, isCritical });
      for (const id of agentIds) if (id !== 'ann') model.expectNotice(threadId, [id], inboxMax);
      await this.hearWords(model, new Map());
    }
    return model;
  }

  async register(model: Inbox, id: string): Promise<void> {
    const nothing = { name: null, description: null, capabilities: null, owner: 'open', onlyIfMissing: false };
    model.agents.set(id, model.now);
    await this.store.registerAgent({ sessionId: this.sessionId, id, ...nothing, at: model.now });
    // Digests are tested elsewhere: here every notice comes by itself.
    const changes = { digestCount: 0, digestMinutes: 0 };
    await this.store.setNotifyPrefs({ sessionId: this.sessionId, agentId: id, changes, audit: null });
  }

  nextToken(): string {
    this.#tokens += 1;
    return `lease ${this.#tokens}`;
  }

  /** Whatever the model says: a second unmarked copy must never reach a reader. */
  noteHanded(agent: string, copies: readonly { key: { seq: number }; redelivered: boolean }[]): void {
    for (const { key, redelivered } of copies) {
      if (redelivered) continue;
      const copy = `${agent} ${key.seq}`;
      expect(this.#unmarked.has(copy), `${copy} was handed out unmarked a second time`).toBe(false);
      this.#unmarked.add(copy);
    }
  }

  /** No byte of it left the hub. */
  noteUnsent(agent: string, copies: readonly Copy[]): void {
    for (const { seq, attempts } of copies) if (attempts === 0) this.#unmarked.delete(`${agent} ${seq}`);
  }

  /** Takes into the model what the store wrote by itself: the words to senders, and nothing else. */
  async hearWords(model: Inbox, filledBefore: ReadonlyMap<string, number>): Promise<void> {
    const expected = model.words;
    model.words = [];
    const { messages: tail } = await this.store.readFeed({
      sessionId: this.sessionId,
      reader: { kind: 'all' },
      afterSeq: model.lastSeq,
      limit: sessionPageMax,
    });
    const missing = [...expected];
    for (const message of tail) {
      if (takeNotice(model, message)) continue;
      const at = missing.findIndex((word) => isWord(message, word));
      expect(at, `a message no one sent: ${JSON.stringify(message)}`).toBeGreaterThanOrEqual(0);
      const [word] = missing.splice(at, 1);
      expect(message.seq, 'seq of a receipt').toBe(model.lastSeq + 1);
      model.messages.push(message);
      addCopy(model, message, { id: word?.sender ?? '', why: 'system', isWaking: true }, false);
    }
    expect(model.notices, 'notices that were not sent').toEqual([]);
    // A full inbox is the only reason not to tell.
    const mustTell = missing.filter(({ sender }) => {
      const words = expected.filter((word) => word.sender === sender).length;
      return (filledBefore.get(sender) ?? 0) + words <= inboxMax;
    });
    expect(mustTell, 'receipts that were not sent').toEqual([]);
  }

  /** Everything the store says about the session equals the model. */
  async checkSession(model: Inbox): Promise<void> {
    const { store, sessionId } = this;
    expect(await store.lastSeq({ sessionId }), 'last seq').toBe(model.lastSeq);
    const page = { reader: { kind: 'all' }, afterSeq: 0, limit: sessionPageMax } as const;
    const { messages: feed } = await store.readFeed({ sessionId, ...page });
    expect(
      feed.map(({ seq }) => seq),
      'seqs of the feed, without a gap',
    ).toEqual(model.messages.map((_, index) => index + 1));
    expect(feed, 'the feed').toEqual(model.messages);
    await Promise.all(model.messages.map((message) => this.#checkReceipts(model, message)));
    for (const agentId of agentIds) await this.#checkReader(model, agentId);
    const { pending, delivered, messages } = await store.tallies();
    expect({ pending, delivered, messages: messages - this.#earlierMessages }, 'tallies').toEqual({
      pending: model.count('pending'),
      delivered: model.count('delivered'),
      messages: model.lastSeq,
    });
  }

  async #checkReceipts(model: Inbox, message: MessageRecord): Promise<void> {
    const found = await this.store.receipts({ sessionId: this.sessionId, messageId: message.id, now: model.now });
    const copies = model.copies.filter(({ seq }) => seq === message.seq);
    expect(found?.message, `message ${message.seq} beside its receipts`).toEqual(message);
    expect(found?.deliveries, `receipts of message ${message.seq}`).toEqual(
      copies.map((copy) => model.receiptOf(copy)),
    );
  }

  async #checkReader(model: Inbox, agentId: string): Promise<void> {
    const { store, sessionId } = this;
    expectUnread(model, agentId, await store.countUnread({ sessionId, agentId }));
    const recent = await store.recentCopies({
      sessionId,
      agentId,
      horizon: sessionPageMax,
      before: null,
      limit: sessionPageMax,
    });
    const shown = model.copies.filter(
      ({ agent, state, attempts }) => agent === agentId && !(state === 'dead_lettered' && attempts === 0),
    );
    expect(
      recent.copies.map(({ key, attempt }) => [key, attempt]),
      `what ${agentId} can look at again`,
    ).toEqual(shown.map(({ lane, rank, seq, attempts }) => [{ lane, rank, seq }, attempts]));
    expect(recent.states, `states of what ${agentId} can look at again`).toEqual(shown.map(({ state }) => state));
  }

  /** Ends the run: whoever is removed leaves nothing behind, and every copy has ended somehow. */
  async finish(model: Inbox): Promise<void> {
    const { store, sessionId } = this;
    await this.checkSession(model);
    for (const id of Array.from(model.agents.keys())) {
      const before = filledInboxes(model);
      const ended = model.remove(id);
      const removed = await store.removeAgent({ sessionId, id, at: model.now, audit: null });
      expect(removed.deadLettered, `copies that ended with ${id}`).toBe(ended);
      await this.hearWords(model, before);
    }
    expect(model.copies.filter((copy) => isOpen(copy))).toEqual([]);
    await this.checkSession(model);
  }
}

export function filledInboxes(model: Inbox): Map<string, number> {
  return new Map(agentIds.map((id) => [id, model.filled(id)]));
}

export function expectUnread(model: Inbox, agentId: string, unread: number): void {
  const { least, most } = model.unread(agentId);
  expect(unread, `unread of ${agentId}`).toBeGreaterThanOrEqual(least);
  expect(unread, `unread of ${agentId}`).toBeLessThanOrEqual(most);
}

/** Notices come in the order of what they tell; their words are tested elsewhere. */
function takeNotice(model: Inbox, message: MessageRecord): boolean {
  const [notice] = model.notices;
  if (message.sender !== 'system' || message.type !== 'STATUS') return false;
  expect({ threadId: message.threadId, seq: message.seq }, 'a notice').toEqual({
    threadId: notice?.threadId,
    seq: model.lastSeq + 1,
  });
  model.notices.shift();
  model.messages.push(message);
  for (const id of notice?.to ?? []) {
    const copy = addCopy(model, message, { id, why: 'system', isWaking: true }, false);
    if (notice?.full.includes(id)) bury(copy, 'INBOX_FULL');
  }
  return true;
}

function isWord({ sender, target, type, payload }: MessageRecord, word: Word): boolean {
  return (
    sender === 'system' &&
    target === word.sender &&
    type === 'ACK' &&
    payload?.['messageId'] === word.messageId &&
    payload['recipient'] === word.recipient &&
    payload['state'] === word.state
  );
}
