// Where a replay reads from: one thread, or the whole session. Both give pages of neighbouring messages, by seq.
import { signal, type Signal } from '@preact/signals';
import type { ThreadView } from '../../../../src/contract/thread.js';
import { call } from '../api.js';
import { withoutLargeData } from '../media.js';
import type { Page } from '../threads/thread-window.js';
import type { Message } from '../types.js';

export interface ReplaySource {
  after(seq: number): Promise<Page>;
  before(seq: number): Promise<Page>;
  /** The seq of the last message. */
  last(): Promise<number>;
  /** The position that a link names; undefined: none. */
  positionOf(link: string): Promise<number | undefined>;
  /** What a link to this message says. */
  linkTo(message: Message): string;
}

const pageSize = 50;

export class ThreadSource implements ReplaySource {
  readonly thread: Signal<ThreadView | undefined> = signal(undefined);
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  after(seq: number): Promise<Page> {
    return this.#page({ after: seq });
  }

  before(seq: number | string): Promise<Page> {
    return this.#page({ before: seq });
  }

  async last(): Promise<number> {
    return (await this.#page({ limit: 1 })).messages[0]?.seq ?? 0;
  }

  /** By a message's id: it is the one after those before it. */
  async positionOf(link: string): Promise<number | undefined> {
    const last = (await this.before(link)).messages.at(-1)?.seq ?? 0;
    return (await this.after(last)).messages[0]?.seq;
  }

  linkTo({ id }: Message): string {
    return id;
  }

  async #page(position: object): Promise<Page> {
    const page = await call<ThreadView & Page & { messages: Message[] }>('get_thread', {
      threadId: this.#id,
      limit: pageSize,
      ...position,
    });
    const { messages, hasMore: _, ...thread } = page;
    this.thread.value = thread;
    return { messages: messages.map(withoutLargeData), hasMore: page.hasMore };
  }
}

export interface SessionPage extends Page {
  messages: Message[];
  threads: { threadId: string; title: string }[];
  /** Up to where it was looked, and where the session ends. */
  position: number;
  last: number;
}

/** What comes after a seq; so many are examined. */
export function readSession(after: number, limit: number): Promise<SessionPage> {
  return call<SessionPage>('get_session_history', { after, limit });
}

/** Pages that may be empty for this reader, one after the other, before it is left at that. */
const emptyPagesMax = 40;
const titlesMax = 2_000;

export class SessionSource implements ReplaySource {
  /** By id; of the threads that were seen. */
  readonly titles: Signal<ReadonlyMap<string, string>> = signal(new Map());

  async after(seq: number): Promise<Page> {
    for (let pages = 1, from = seq; ; pages++) {
      const page: SessionPage = await this.#read(from, pageSize);
      if (page.messages.length > 0 || !page.hasMore || pages === emptyPagesMax) return page;
      from = page.position;
    }
  }

  /** The numbers of a session have no gaps, so that what is before a place is found without an index. */
  async before(seq: number): Promise<Page> {
    for (let pages = 1, end = seq; ; pages++) {
      const start = Math.max(0, end - 1 - pageSize);
      const messages = await this.#between(start, end);
      if (messages.length > 0 || start === 0 || pages === emptyPagesMax) return { messages, hasMore: start > 0 };
      end = start + 1;
    }
  }

  /** In several answers if they are large. */
  async #between(after: number, end: number): Promise<Message[]> {
    const found: Message[] = [];
    for (let at = after; at < end - 1;) {
      const page = await this.#read(at, end - 1 - at);
      found.push(...page.messages.filter(({ seq }) => seq < end));
      if (page.position <= at) break;
      at = page.position;
    }
    return found;
  }

  async last(): Promise<number> {
    return (await readSession(0, 1)).last;
  }

  /** By its number. */
  positionOf(link: string): Promise<number | undefined> {
    const seq = Number(link);
    return Promise.resolve(Number.isSafeInteger(seq) && seq > 0 ? seq : undefined);
  }

  linkTo({ seq }: Message): string {
    return String(seq);
  }

  async #read(after: number, limit: number): Promise<SessionPage> {
    const page = await readSession(after, limit);
    const known = this.titles.value;
    if (page.threads.some(({ threadId, title }) => known.get(threadId) !== title)) {
      const titles = [...known, ...page.threads.map(({ threadId, title }) => [threadId, title] as const)];
      this.titles.value = new Map(titles.slice(-titlesMax));
    }
    return { ...page, messages: page.messages.map(withoutLargeData) };
  }
}
