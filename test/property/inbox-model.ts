// What an inbox must do, said as plainly as possible: lists and loops, no cleverness, no SQL. The store is held to it.
import type { CopyState, DeadReason, Why } from '../../dist/contract/message.js';
import type { CopyKey, InboxFilter, LeasedCopies, MessageRecord, Receipt, Recipient } from '../../dist/ports/store.js';

export interface Copy extends CopyKey {
  agent: string;
  message: MessageRecord;
  why: Why;
  wantsReceipt: boolean;
  state: CopyState;
  reason: DeadReason | null;
  attempts: number;
  /** Manual leases that ran out. */
  runOuts: number;
  token: string | null;
  isManual: boolean;
  leaseUntil: number;
  /** The hub restarted during this lease: should it run out, that does not count. */
  isExcused: boolean;
  leasedAt: number | null;
  endedAt: number | null;
}

export interface Thread {
  members: string[];
  isOpen: boolean;
  isCritical: boolean;
}

/** What a sender that asked for it is told. */
export interface Word {
  sender: string;
  recipient: string;
  messageId: string;
  state: CopyState;
}

/** What a sender is answered. */
export interface Accepted {
  seq: number;
  recipients: Recipient[];
  undelivered: string[];
  mentions: string[];
}

const waking = 0;

export class Inbox {
  now: number;
  monotonic = 0;
  /** With the time each was registered. */
  readonly agents = new Map<string, number>();
  readonly threads = new Map<string, Thread>();
  readonly messages: MessageRecord[] = [];
  readonly copies: Copy[] = [];
  /** First answers, by sender and key, until the reaper finds them a day old. */
  readonly keys = new Map<string, { hash: string; expiresAt: number; accepted: Accepted }>();
  /** Every lease ever given, also those long over. */
  readonly leases: LeasedCopies[] = [];
  /** The last lease of each agent that got any copy; forgotten by a restart. */
  readonly lastLeases = new Map<string, string>();
  /** Told by the command that is running; the store must have written exactly these. */
  words: Word[] = [];
  /** Notices about threads the store is to write by itself, in order. */
  notices: { threadId: string; to: string[]; full: string[] }[] = [];

  constructor(now: number) {
    this.now = now;
  }

  get lastSeq(): number {
    return this.messages.length;
  }

  isPast({ message: { expiresAt } }: Copy): boolean {
    return expiresAt !== null && expiresAt <= this.now;
  }

  /** What `agent` may be handed now, in order. Interrupts pass every filter. */
  free(agent: string, filter: InboxFilter): Copy[] {
    return this.copies
      .filter((copy) => copy.agent === agent && copy.state === 'pending' && !this.isPast(copy))
      .filter(({ lane, rank, message }) => {
        if (filter.wakingOnly && lane !== waking) return false;
        if (rank === 0) return true;
        return (
          (filter.from === undefined || message.sender === filter.from) &&
          (filter.threadIds === undefined || filter.threadIds.some((id) => id === message.threadId)) &&
          (filter.type === undefined || message.type === filter.type) &&
          (filter.priority === undefined || message.priority === filter.priority)
        );
      })
      .toSorted((a, b) => a.rank - b.rank || a.seq - b.seq);
  }

  take(copy: Copy, lease: { token: string; isManual: boolean; leaseMs: number }): void {
    this.lastLeases.set(copy.agent, lease.token);
    copy.state = 'delivered';
    copy.attempts += 1;
    copy.token = lease.token;
    copy.isManual = lease.isManual;
    copy.leaseUntil = this.monotonic + lease.leaseMs;
    copy.isExcused = false;
    copy.leasedAt = this.now;
  }

  /** Copies this token still holds. */
  held({ agentId, token, keys }: LeasedCopies): Copy[] {
    return keys.flatMap(({ seq }) =>
      this.copies.filter((copy) => copy.agent === agentId && copy.seq === seq && copy.token === token),
    );
  }

  release(copy: Copy, isUnsent = false): void {
    copy.state = 'pending';
    copy.token = null;
    if (isUnsent) copy.attempts -= 1;
    if (copy.attempts === 0) copy.leasedAt = null;
  }

  end(copy: Copy, state: 'read' | 'expired' | 'dead_lettered', reason: DeadReason | null): void {
    Object.assign(copy, { state, reason, token: null, endedAt: this.now });
    if (!copy.wantsReceipt || !this.agents.has(copy.message.sender)) return;
    this.words.push({ sender: copy.message.sender, recipient: copy.agent, messageId: copy.message.id, state });
  }

  /** Read copies come back, whoever's token it was: a reader may also ask for it by ids. */
  reopen({ agentId, keys }: LeasedCopies): Copy[] {
    if (!this.agents.has(agentId)) return [];
    const read = keys.flatMap(({ seq }) =>
      this.copies.filter((copy) => copy.agent === agentId && copy.seq === seq && copy.state === 'read'),
    );
    for (const copy of read) Object.assign(copy, { state: 'pending', reason: null, endedAt: null, runOuts: 0 });
    return read;
  }

  reap(runOutsMax: number): { expired: number; deadLettered: number; returned: string[] } {
    const result = { expired: 0, deadLettered: 0, returned: [] as string[] };
    for (const copy of this.copies) {
      if (copy.state !== 'delivered' || !copy.isManual || copy.leaseUntil > this.monotonic) continue;
      if (!copy.isExcused) copy.runOuts += 1;
      this.release(copy);
      if (this.isPast(copy)) continue;
      if (copy.runOuts < runOutsMax) {
        result.returned.push(copy.agent);
      } else {
        this.end(copy, 'dead_lettered', 'ATTEMPTS_EXCEEDED');
        result.deadLettered += 1;
      }
    }
    for (const copy of this.copies) {
      if (copy.state !== 'pending' || !this.isPast(copy)) continue;
      this.end(copy, 'expired', 'EXPIRED');
      result.expired += 1;
    }
    for (const [name, { expiresAt }] of this.keys) if (expiresAt <= this.now) this.keys.delete(name);
    return result;
  }

  /** A new run has a new clock; no connection of the old one is left, but readers that acknowledge by hand are. */
  restart(manualLeaseMs: number): void {
    this.monotonic = 0;
    this.lastLeases.clear();
    for (const copy of this.copies) {
      if (copy.state !== 'delivered') continue;
      if (copy.isManual) Object.assign(copy, { leaseUntil: manualLeaseMs, isExcused: true });
      else this.release(copy);
    }
  }

  /** How many copies ended. */
  remove(agent: string): number {
    this.agents.delete(agent);
    for (const id of this.threads.keys()) this.dropMember(id, agent);
    const open = this.copies.filter((copy) => copy.agent === agent && isOpen(copy));
    for (const copy of open) this.end(copy, 'dead_lettered', 'RECIPIENT_REMOVED');
    return open.length;
  }

  /** Ends what the leaver had not been handed. */
  /** A notice to someone without room for it is dead from the start. */
  expectNotice(threadId: string, to: readonly string[], inboxMax: number): void {
    const full = to.filter((id) => this.filled(id) >= inboxMax);
    if (to.length > 0) this.notices.push({ threadId, to: [...to], full });
  }

  leave(threadId: string, agent: string): number {
    this.dropMember(threadId, agent);
    const lost = this.copies.filter(
      (copy) => copy.agent === agent && copy.state === 'pending' && copy.message.threadId === threadId,
    );
    for (const copy of lost) this.end(copy, 'dead_lettered', 'RECIPIENT_REMOVED');
    return lost.length;
  }

  private dropMember(threadId: string, agent: string): void {
    const thread = this.threads.get(threadId);
    if (!thread?.members.includes(agent)) return;
    thread.members = thread.members.filter((id) => id !== agent);
    if (thread.members.length === 0) thread.isOpen = false;
  }

  /** Copies that count against the inbox's limit. */
  filled(agent: string): number {
    return this.copies.filter((copy) => copy.agent === agent && copy.lane === waking && isOpen(copy)).length;
  }

  /** Those past their time may or may not be counted until the reaper has been. */
  unread(agent: string): { least: number; most: number } {
    const free = this.copies.filter((copy) => copy.agent === agent && copy.lane === waking && copy.state === 'pending');
    return { least: free.filter((copy) => !this.isPast(copy)).length, most: free.length };
  }

  count(state: CopyState): number {
    return this.copies.filter((copy) => copy.state === state).length;
  }

  /** What is past its time is expired also before the reaper has been. */
  receiptOf(copy: Copy): Receipt {
    const { agent, state, reason, attempts, leasedAt, endedAt, message } = copy;
    if (state === 'pending' && this.isPast(copy)) {
      const at = message.expiresAt ?? 0;
      return {
        recipient: agent,
        state: 'expired',
        at,
        attempts,
        deliveredAt: leasedAt,
        answeredAt: null,
        reason: 'EXPIRED',
      };
    }
    const at = endedAt ?? (state === 'delivered' ? leasedAt : null) ?? message.at;
    return { recipient: agent, state, at, attempts, deliveredAt: leasedAt, answeredAt: null, reason };
  }
}

export function isOpen({ state }: Copy): boolean {
  return state === 'pending' || state === 'delivered';
}
