// Wake-ups between hubs: every hint is given at this hub at once and published to the other hubs, many in one
// notification. As notifications may be lost, the store is polled for the readers that wait here.
import type { HubLink } from '../ports/hub-link.js';
import type { Log } from '../ports/log.js';
import type { CancelReason } from '../ports/reply-outcome.js';
import type { ProgramNews } from '../ports/program-news.js';
import type { DelayNews, StoppedLoop } from '../ports/overview.js';
import type { Turn } from '../ports/shared-turns.js';
import { wakeNewsKinds, type WakeNews } from '../ports/wake.js';
import type { CopyHint, Wakeup } from '../ports/wakeup.js';
import { isItem, itemsIn, payloadsOf, type Item } from './hub-items.js';
import type { InProcessWakeup } from './in-process.js';

type Reader = { sessionId: string; agentId: string };

export interface AcrossHubsPorts {
  link: HubLink;
  local: InProcessWakeup;
  log: Log;
  now: () => number;
  /** Readers with a wait parked at this hub. */
  waiting: () => readonly Reader[];
  /** Copies of the reader may be free: all its waits at this hub read again. */
  signalReader: (sessionId: string, agentId: string) => void;
}

/** Events of other hubs that are not wake-ups. */
export interface AcrossHubsListener {
  presenceChanged: (sessionId: string, agentId: string, presence: { at: number; isWaiting: boolean }) => void;
  programChanged: (sessionId: string, agentId: string, program: ProgramNews) => void;
  /** Another hub registered or removed agents of the session. */
  agentsChanged: (sessionId: string) => void;
  /** Another hub made or revoked a key. */
  keysChanged: () => void;
  /** The link was down for a while: any event may have been lost. */
  missed: () => void;
  cancelled: (label: string, requestId: string | number, reason: CancelReason) => void;
  turnTaken: (turn: Turn) => void;
  callsSpent: (keyId: string, calls: number) => void;
  alertsSpent: (bucket: string, alerts: number) => void;
  wakeChanged: (news: WakeNews) => void;
  loopStopped: (loop: StoppedLoop) => void;
  delaysCounted: (news: DelayNews) => void;
  /** Another hub has started, or has missed something. */
  greeted: () => void;
}

const pollEveryMs = 1_500;
/** After so many polls known mail is signalled again: older mail may have become free beside it. */
const pollsRemembered = 10;
/** Readers per poll; the others follow with the next poll. */
const readersPerPoll = 1_000;
const presenceEveryMs = 10_000;

const isWakingFlag = 1;
const isInterruptFlag = 2;

export class AcrossHubs implements Wakeup {
  readonly #ports: AcrossHubsPorts;
  #listener: AcrossHubsListener | undefined;
  #items = new Set<string>();
  #isScheduled = false;
  #pollTimer: NodeJS.Timeout | undefined;
  readonly #presenceTimer: NodeJS.Timeout;
  /** By reader: the newest free mail that a poll last signalled its waits for. */
  #signalled = new Map<string, number>();
  #lastSeqs = new Map<string, number>();
  #nextReader = 0;
  #polls = 0;
  #isStopped = false;

  constructor(ports: AcrossHubsPorts) {
    this.#ports = ports;
    ports.link.listen({ received: (payload) => this.#receive(payload), missed: () => this.#missed() });
    this.#publish(['hello']);
    this.#presenceTimer = setInterval(() => this.#publishWaiting(), presenceEveryMs).unref();
    this.#schedulePoll();
  }

  listen(listener: AcrossHubsListener): void {
    this.#listener = listener;
  }

  copies(hints: readonly CopyHint[]): void {
    this.#ports.local.copies(hints);
    for (const { sessionId, agentId, threadId, sender, isWaking, isInterrupt } of hints) {
      const flags = (isWaking ? isWakingFlag : 0) | (isInterrupt ? isInterruptFlag : 0);
      this.#publish(['copy', sessionId, agentId, threadId, sender, flags]);
    }
  }

  agents(sessionId: string): void {
    this.#ports.local.agents(sessionId);
    this.#publish(['agents', sessionId]);
  }

  feed(sessionId: string): void {
    this.#ports.local.feed(sessionId);
    this.#publish(['feed', sessionId]);
  }

  closed(sessionId: string): void {
    this.#ports.local.closed(sessionId);
    this.#publish(['closed', sessionId]);
  }

  signals(sessionId: string): void {
    this.#ports.local.signals(sessionId);
    this.#publish(['signals', sessionId]);
  }

  thread(sessionId: string, threadId: string): void {
    this.#ports.local.thread(sessionId, threadId);
    this.#publish(['thread', sessionId, threadId]);
  }

  /** Copies of the reader are free again. */
  freed(sessionId: string, agentId: string): void {
    this.#publish(['freed', sessionId, agentId]);
  }

  presence(sessionId: string, agentId: string, { at, isWaiting }: { at: number; isWaiting: boolean }): void {
    this.#publish(['presence', sessionId, agentId, at, isWaiting ? 1 : 0]);
  }

  program(sessionId: string, agentId: string, { id, likeness, startedAt, isConnected }: ProgramNews): void {
    this.#publish(['program', sessionId, agentId, id, likeness, startedAt, isConnected ? 1 : 0]);
  }

  /**
   * A client cancelled a call that this hub does not know. `aborted` comes first: who understands it is done with the call
   * when `cancelled` follows, and a hub of an earlier release, which does not, takes the messages back as it always did.
   */
  cancelled(label: string, requestId: string | number, reason: CancelReason): void {
    const call = [label, typeof requestId === 'number' ? 'number' : 'string', String(requestId)] as const;
    if (reason === 'aborted') this.#publish(['aborted', ...call]);
    this.#publish(['cancelled', ...call]);
  }

  turn({ sessionId, sender, other, at, seq }: Turn): void {
    this.#publish(['turn', sessionId, sender, other, at, seq]);
  }

  keysChanged(): void {
    this.#publish(['keys']);
  }

  /** Calls that a key has made at this hub. */
  spent(keyId: string, calls: number): void {
    this.#publish(['spent', keyId, calls]);
  }

  /** Alerts that an agent, or a session, has sent at this hub. */
  alertsSpent(bucket: string, alerts: number): void {
    this.#publish(['alerts', bucket, alerts]);
  }

  wake({ sessionId, agentId, what, text, number }: WakeNews): void {
    this.#publish(['wake', sessionId, agentId, what, text, number]);
  }

  loop({ sessionId, sender, other, threadId, at, count }: StoppedLoop): void {
    this.#publish(['loop', sessionId, sender, other, threadId, at, count]);
  }

  delays({ sessionId, minute, counts }: DelayNews): void {
    this.#publish(['delays', sessionId, minute, counts]);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#pollTimer);
    clearInterval(this.#presenceTimer);
  }

  /** Hints of one commit are published together, each once: all its callbacks run before the next tick. */
  #publish(item: Item): void {
    this.#items.add(JSON.stringify(item));
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      const items = [...this.#items];
      this.#items.clear();
      this.#ports.link.publish(payloadsOf(items, this.#ports.link.payloadBytesMax));
    });
  }

  #publishWaiting(): void {
    const at = this.#ports.now();
    for (const { sessionId, agentId } of this.#ports.waiting())
      this.presence(sessionId, agentId, { at, isWaiting: true });
  }

  /** Any notification may have been lost: nothing that is only cached holds any more. */
  #missed(): void {
    this.#signalled.clear();
    this.#lastSeqs.clear();
    this.#listener?.missed();
    this.#ports.local.everything();
    this.#publish(['hello']);
  }

  #receive(payload: string): void {
    for (const item of itemsIn(payload)) if (isItem(item)) this.#apply(item);
  }

  #apply(item: Item): void {
    const { local } = this.#ports;
    switch (item[0]) {
      case 'copy': {
        const [, sessionId, agentId, threadId, sender, flags] = item;
        const isWaking = (flags & isWakingFlag) !== 0;
        return local.copies([
          { sessionId, agentId, seq: null, threadId, sender, isWaking, isInterrupt: (flags & isInterruptFlag) !== 0 },
        ]);
      }
      case 'agents':
        this.#listener?.agentsChanged(item[1]);
        return local.agents(item[1]);
      case 'feed':
        return local.feed(item[1]);
      case 'closed':
        return local.closed(item[1]);
      case 'signals':
        return local.signals(item[1]);
      case 'thread':
        return local.thread(item[1], item[2]);
      case 'freed':
        return this.#ports.signalReader(item[1], item[2]);
      case 'presence':
        return this.#listener?.presenceChanged(item[1], item[2], { at: item[3], isWaiting: item[4] === 1 });
      case 'program': {
        const [, sessionId, agentId, id, likeness, startedAt, on] = item;
        return this.#listener?.programChanged(sessionId, agentId, { id, likeness, startedAt, isConnected: on === 1 });
      }
      case 'cancelled':
      case 'aborted': {
        const [kind, label, type, id] = item;
        const reason = kind === 'aborted' ? 'aborted' : 'timed-out';
        return this.#listener?.cancelled(label, type === 'number' ? Number(id) : id, reason);
      }
      case 'turn': {
        const [, sessionId, sender, other, at, seq] = item;
        return this.#listener?.turnTaken({ sessionId, sender, other, at, seq });
      }
      case 'keys':
        return this.#listener?.keysChanged();
      case 'spent':
        return this.#listener?.callsSpent(item[1], item[2]);
      case 'alerts':
        return this.#listener?.alertsSpent(item[1], item[2]);
      case 'wake': {
        const [, sessionId, agentId, kind, text, number] = item;
        const what = wakeNewsKinds.find((known) => known === kind);
        if (what !== undefined) this.#listener?.wakeChanged({ sessionId, agentId, what, text, number });
        return;
      }
      case 'loop': {
        const [, sessionId, sender, other, threadId, at, count] = item;
        return this.#listener?.loopStopped({ sessionId, sender, other, threadId, at, count });
      }
      case 'delays':
        return this.#listener?.delaysCounted({ sessionId: item[1], minute: item[2], counts: item[3] });
      case 'hello':
        this.#listener?.greeted();
        return this.#publishWaiting();
    }
  }

  #schedulePoll(): void {
    if (this.#isStopped) return;
    this.#pollTimer = setTimeout(() => {
      this.#poll()
        .catch((error: unknown) => this.#ports.log.warn('poll failed', { error: String(error) }))
        .finally(() => this.#schedulePoll());
    }, pollEveryMs).unref();
  }

  async #poll(): Promise<void> {
    await this.#pollMail();
    await this.#pollMessages();
  }

  async #pollMail(): Promise<void> {
    const all = this.#ports.waiting();
    if (this.#nextReader >= all.length) this.#nextReader = 0;
    const readers = all.slice(this.#nextReader, this.#nextReader + readersPerPoll);
    this.#nextReader += readersPerPoll;
    if (readers.length === 0 || this.#polls++ % pollsRemembered === 0) this.#signalled.clear();
    if (readers.length === 0) return;
    const signalled = new Map<string, number>();
    for (const { sessionId, agentId, seq } of await this.#ports.link.newestMail(readers)) {
      const key = `${sessionId}\n${agentId}`;
      // Mail that no wait's filter matches must not wake the waits with every poll.
      if (this.#signalled.get(key) !== seq) this.#ports.signalReader(sessionId, agentId);
      signalled.set(key, seq);
    }
    this.#signalled = signalled;
  }

  /** Followers of feeds and threads read again when their session has grown; barriers do with every poll. */
  async #pollMessages(): Promise<void> {
    const { local, link } = this.#ports;
    local.allAgents();
    local.allSignals();
    const sessions = local.followedSessions();
    if (sessions.length === 0) return this.#lastSeqs.clear();
    const seqs = new Map<string, number>();
    for (const { sessionId, seq } of await link.lastSeqs(sessions)) {
      if (this.#lastSeqs.get(sessionId) !== seq) local.session(sessionId);
      seqs.set(sessionId, seq);
    }
    this.#lastSeqs = seqs;
  }
}
