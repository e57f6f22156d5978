// The waits parked at this hub, first come, first served. A signal is only a hint: the wait then reads the store.
import type { HandedOver, InboxFilter } from '../../ports/store.js';
import type { CopyHint } from '../../ports/wakeup.js';
import { waitTakes } from './decide-match.js';
import { WakeSignal } from './wake-signal.js';

export class ParkedWait extends WakeSignal {
  readonly sessionId: string;
  readonly agentId: string;
  readonly filter: InboxFilter;
  /** Of the lease that it takes. */
  readonly token: string;
  /** Copies that the store has leased for it. */
  handed: HandedOver | undefined;

  constructor({ sessionId, agentId, filter, token }: Pick<ParkedWait, 'sessionId' | 'agentId' | 'filter' | 'token'>) {
    super();
    this.sessionId = sessionId;
    this.agentId = agentId;
    this.filter = filter;
    this.token = token;
  }

  matches(hint: CopyHint): boolean {
    return waitTakes(this.filter, hint);
  }

  hasBeenHanded({ seq }: CopyHint): boolean {
    return this.handed?.taken.copies.some(({ key }) => key.seq === seq) ?? false;
  }
}

export class ParkedWaits {
  readonly #byAgent = new Map<string, ParkedWait[]>();
  /** How many waits for responses an agent has parked here for a thread. */
  readonly #forResponses = new Map<string, number>();
  /** Called when an agent's first wait is parked here, and when its last one ends. */
  onWaiting: (sessionId: string, agentId: string, isWaiting: boolean) => void = () => {};

  /** Called when copies were handed to a wait that has ended: they go back as never sent. */
  onNotTaken: (handed: HandedOver) => void = () => {};

  isWaiting(sessionId: string, agentId: string): boolean {
    return this.#byAgent.has(keyOf(sessionId, agentId));
  }

  /** A wait registers before it reads the store, so that no message is missed between the two. */
  add(wait: ParkedWait): void {
    const key = keyOf(wait.sessionId, wait.agentId);
    const waits = this.#byAgent.get(key);
    if (waits === undefined) {
      this.#byAgent.set(key, [wait]);
      this.onWaiting(wait.sessionId, wait.agentId, true);
    } else {
      waits.push(wait);
    }
  }

  /** Notes a wait that any message in the thread may end; the returned function ends the note. */
  noteForResponses(sessionId: string, agentId: string, threadId: string): () => void {
    const key = responsesKey(sessionId, agentId, threadId);
    this.#forResponses.set(key, (this.#forResponses.get(key) ?? 0) + 1);
    return () => {
      const others = (this.#forResponses.get(key) ?? 1) - 1;
      if (others === 0) this.#forResponses.delete(key);
      else this.#forResponses.set(key, others);
    };
  }

  remove(wait: ParkedWait): void {
    const key = keyOf(wait.sessionId, wait.agentId);
    const waits = this.#byAgent.get(key);
    const index = waits?.indexOf(wait) ?? -1;
    if (waits === undefined || index < 0) return;
    waits.splice(index, 1);
    if (waits.length > 0) return;
    this.#byAgent.delete(key);
    this.onWaiting(wait.sessionId, wait.agentId, false);
  }

  /** Signals the agent's first wait that matches and is not signalled yet, unless a wait has been handed the copy. */
  signalFirst(hint: CopyHint): void {
    const waits = this.#byAgent.get(keyOf(hint.sessionId, hint.agentId));
    if (waits === undefined || waits.some((wait) => wait.hasBeenHanded(hint))) return;
    waits.find((wait) => !wait.isSignalled && wait.handed === undefined && wait.matches(hint))?.signal();
  }

  /**
   * The store has leased copies for these waits. They are woken in the next turn of the event loop: the senders' answers
   * and the hints of the same commit still find them here.
   */
  handOver(handed: readonly HandedOver[]): void {
    const woken = handed.flatMap((each) => {
      const waits = this.#byAgent.get(keyOf(each.sessionId, each.agentId));
      const wait = waits?.find(({ token }) => token === each.token);
      if (wait === undefined) this.onNotTaken(each);
      else wait.handed = each;
      return wait ?? [];
    });
    if (woken.length > 0) setImmediate(() => woken.forEach((wait) => wait.signal()));
  }

  /** Whether a wait parked here takes this copy. */
  hasMatch(hint: CopyHint): boolean {
    const { sessionId, agentId, threadId } = hint;
    const waits = this.#byAgent.get(keyOf(sessionId, agentId));
    if (waits?.some((wait) => wait.matches(hint)) === true) return true;
    if (threadId === null || this.#forResponses.size === 0) return false;
    return this.#forResponses.has(responsesKey(sessionId, agentId, threadId));
  }

  /** Agents with a wait parked here. */
  readers(): { sessionId: string; agentId: string }[] {
    return [...this.#byAgent.values()].flatMap(([first]) =>
      first === undefined ? [] : [{ sessionId: first.sessionId, agentId: first.agentId }],
    );
  }

  signalEvery(): void {
    for (const waits of Array.from(this.#byAgent.values())) for (const wait of Array.from(waits)) wait.signal();
  }

  /** Every wait of the session reads again. */
  signalSession(sessionId: string): void {
    for (const reader of this.readers()) if (reader.sessionId === sessionId) this.signalAll(sessionId, reader.agentId);
  }

  /** Unknown copies of the agent may be free again: every wait of it reads again. */
  signalAll(sessionId: string, agentId: string): void {
    for (const wait of Array.from(this.#byAgent.get(keyOf(sessionId, agentId)) ?? [])) wait.signal();
  }
}

function keyOf(sessionId: string, agentId: string): string {
  return `${sessionId}\n${agentId}`;
}

function responsesKey(sessionId: string, agentId: string, threadId: string): string {
  return `${sessionId}\n${agentId}\n${threadId}`;
}
