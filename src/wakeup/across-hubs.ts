// Wake-ups between hubs: every hint is given at home at once and told to the other hubs, many in one word. As words may
// be lost, the store is asked now and then for whoever waits here.
import type { HubLink } from '../ports/hub-link.js';
import type { Log } from '../ports/log.js';
import type { Turn } from '../ports/shared-turns.js';
import type { CopyHint, Wakeup } from '../ports/wakeup.js';
import type { InProcessWakeup } from './in-process.js';

type Reader = { sessionId: string; agentId: string };

/** One hint on its way; the first field names its kind. */
type Item =
  | readonly ['copy', session: string, agent: string, thread: string | null, sender: string, flags: number]
  | readonly ['agents' | 'feed', session: string]
  | readonly ['thread', session: string, thread: string]
  | readonly ['freed', session: string, agent: string]
  | readonly ['presence', session: string, agent: string, at: number, waiting: 0 | 1]
  | readonly ['turn', session: string, sender: string, other: string, at: number, seq: number]
  | readonly ['cancelled', label: string, kind: 'string' | 'number', id: string]
  | readonly ['hello'];

export interface AcrossHubsPorts {
  link: HubLink;
  local: InProcessWakeup;
  log: Log;
  now: () => number;
  /** Who has a wait parked here. */
  waiting: () => readonly Reader[];
  /** Something of the reader's may be free: all its waits here look. */
  signalReader: (sessionId: string, agentId: string) => void;
}

/** What other hubs say that is not a wake-up. */
export interface AcrossHubsFollower {
  heardPresence: (sessionId: string, agentId: string, presence: { at: number; isWaiting: boolean }) => void;
  /** Agents of a session changed at another hub. */
  agentsChanged: (sessionId: string) => void;
  /** The link was down for a while. */
  missed: () => void;
  cancelled: (label: string, requestId: string | number) => void;
  heardTurn: (turn: Turn) => void;
}

const lookEveryMs = 1_500;
/** So many looks later what was signalled is signalled again: older mail may have become free beside it. */
const looksRemembered = 10;
/** Looked after in one go; the others have their turn next time. */
const readersPerLook = 1_000;
const presenceEveryMs = 10_000;

const isWakingFlag = 1;
const isInterruptFlag = 2;

export class AcrossHubs implements Wakeup {
  readonly #ports: AcrossHubsPorts;
  #follower: AcrossHubsFollower | undefined;
  #items = new Set<string>();
  #isScheduled = false;
  #lookTimer: NodeJS.Timeout | undefined;
  readonly #presenceTimer: NodeJS.Timeout;
  /** The newest free mail a reader's waits were last signalled for by a look. */
  #signalled = new Map<string, number>();
  #lastSeqs = new Map<string, number>();
  #nextReader = 0;
  #looks = 0;
  #isStopped = false;

  constructor(ports: AcrossHubsPorts) {
    this.#ports = ports;
    ports.link.listen({ heard: (word) => this.#hear(word), missed: () => this.#missed() });
    this.#tell(['hello']);
    this.#presenceTimer = setInterval(() => this.#tellWaiting(), presenceEveryMs).unref();
    this.#lookLater();
  }

  follow(follower: AcrossHubsFollower): void {
    this.#follower = follower;
  }

  copies(hints: readonly CopyHint[]): void {
    this.#ports.local.copies(hints);
    for (const { sessionId, agentId, threadId, sender, isWaking, isInterrupt } of hints) {
      const flags = (isWaking ? isWakingFlag : 0) | (isInterrupt ? isInterruptFlag : 0);
      this.#tell(['copy', sessionId, agentId, threadId, sender, flags]);
    }
  }

  agents(sessionId: string): void {
    this.#ports.local.agents(sessionId);
    this.#tell(['agents', sessionId]);
  }

  feed(sessionId: string): void {
    this.#ports.local.feed(sessionId);
    this.#tell(['feed', sessionId]);
  }

  thread(sessionId: string, threadId: string): void {
    this.#ports.local.thread(sessionId, threadId);
    this.#tell(['thread', sessionId, threadId]);
  }

  /** Copies of this reader are free again. */
  freed(sessionId: string, agentId: string): void {
    this.#tell(['freed', sessionId, agentId]);
  }

  presence(sessionId: string, agentId: string, { at, isWaiting }: { at: number; isWaiting: boolean }): void {
    this.#tell(['presence', sessionId, agentId, at, isWaiting ? 1 : 0]);
  }

  /** A client cancelled a call that this hub does not know. */
  cancelled(label: string, requestId: string | number): void {
    this.#tell(['cancelled', label, typeof requestId === 'number' ? 'number' : 'string', String(requestId)]);
  }

  turn({ sessionId, sender, other, at, seq }: Turn): void {
    this.#tell(['turn', sessionId, sender, other, at, seq]);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#lookTimer);
    clearInterval(this.#presenceTimer);
  }

  /** Hints of one commit leave together, each once: what it answers runs to its end before the next tick. */
  #tell(item: Item): void {
    this.#items.add(JSON.stringify(item));
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      const items = [...this.#items];
      this.#items.clear();
      this.#ports.link.publish(wordsOf(items, this.#ports.link.wordBytesMax));
    });
  }

  #tellWaiting(): void {
    const at = this.#ports.now();
    for (const { sessionId, agentId } of this.#ports.waiting())
      this.presence(sessionId, agentId, { at, isWaiting: true });
  }

  /** Anything may have been said: nothing that is only remembered holds any more. */
  #missed(): void {
    this.#signalled.clear();
    this.#lastSeqs.clear();
    this.#follower?.missed();
    this.#ports.local.everything();
    this.#tell(['hello']);
  }

  #hear(word: string): void {
    for (const item of itemsIn(word)) if (isItem(item)) this.#heed(item);
  }

  #heed(item: Item): void {
    const { local } = this.#ports;
    switch (item[0]) {
      case 'copy': {
        const [, sessionId, agentId, threadId, sender, flags] = item;
        const isWaking = (flags & isWakingFlag) !== 0;
        return local.copies([
          { sessionId, agentId, threadId, sender, isWaking, isInterrupt: (flags & isInterruptFlag) !== 0 },
        ]);
      }
      case 'agents':
        this.#follower?.agentsChanged(item[1]);
        return local.agents(item[1]);
      case 'feed':
        return local.feed(item[1]);
      case 'thread':
        return local.thread(item[1], item[2]);
      case 'freed':
        return this.#ports.signalReader(item[1], item[2]);
      case 'presence':
        return this.#follower?.heardPresence(item[1], item[2], { at: item[3], isWaiting: item[4] === 1 });
      case 'cancelled':
        return this.#follower?.cancelled(item[1], item[2] === 'number' ? Number(item[3]) : item[3]);
      case 'turn': {
        const [, sessionId, sender, other, at, seq] = item;
        return this.#follower?.heardTurn({ sessionId, sender, other, at, seq });
      }
      case 'hello':
        return this.#tellWaiting();
    }
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    this.#lookTimer = setTimeout(() => {
      this.#look()
        .catch((error: unknown) => this.#ports.log.warn('look failed', { error: String(error) }))
        .finally(() => this.#lookLater());
    }, lookEveryMs).unref();
  }

  async #look(): Promise<void> {
    await this.#lookForMail();
    await this.#lookForMessages();
  }

  async #lookForMail(): Promise<void> {
    const all = this.#ports.waiting();
    if (this.#nextReader >= all.length) this.#nextReader = 0;
    const readers = all.slice(this.#nextReader, this.#nextReader + readersPerLook);
    this.#nextReader += readersPerLook;
    if (readers.length === 0 || this.#looks++ % looksRemembered === 0) this.#signalled.clear();
    if (readers.length === 0) return;
    const signalled = new Map<string, number>();
    for (const { sessionId, agentId, seq } of await this.#ports.link.newestMail(readers)) {
      const key = `${sessionId}\n${agentId}`;
      // Mail that a wait does not want must not wake it again and again.
      if (this.#signalled.get(key) !== seq) this.#ports.signalReader(sessionId, agentId);
      signalled.set(key, seq);
    }
    this.#signalled = signalled;
  }

  /** Followers of feeds and threads look when their session has grown; barriers look each time. */
  async #lookForMessages(): Promise<void> {
    const { local, link } = this.#ports;
    local.allAgents();
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

/** The fields after the kind: s a text, n a number, t a text or null. */
const shapes: Record<Item[0], string> = {
  copy: 'sstsn',
  agents: 's',
  feed: 's',
  thread: 'ss',
  freed: 'ss',
  presence: 'ssnn',
  turn: 'sssnn',
  cancelled: 'sss',
  hello: '',
};

const shapeOf = new Map(Object.entries(shapes));

/** Said by a hub of this release or of another, or by anyone who may speak there: what is not known is left alone. */
function itemsIn(word: string): unknown[] {
  try {
    const items: unknown = JSON.parse(word);
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}

function isItem(value: unknown): value is Item {
  if (!Array.isArray(value)) return false;
  const [kind, ...fields] = value.map((field: unknown) => field);
  const shape = typeof kind === 'string' ? shapeOf.get(kind) : undefined;
  return shape?.length === fields.length && fields.every((field, index) => hasShape(field, shape.charAt(index)));
}

function hasShape(field: unknown, shape: string): boolean {
  if (shape === 'n') return typeof field === 'number';
  return typeof field === 'string' || (shape === 't' && field === null);
}

/** As few words as the longest one allows. */
function wordsOf(items: readonly string[], bytesMax: number): string[] {
  const words: string[] = [];
  let word: string[] = [];
  let bytes = 2;
  for (const item of items) {
    const itemBytes = Buffer.byteLength(item) + 1;
    // No hub could say it, and it must not keep others from being said.
    if (itemBytes + 2 > bytesMax) continue;
    if (bytes + itemBytes > bytesMax) {
      words.push(`[${word.join(',')}]`);
      word = [];
      bytes = 2;
    }
    word.push(item);
    bytes += itemBytes;
  }
  if (word.length > 0) words.push(`[${word.join(',')}]`);
  return words;
}
