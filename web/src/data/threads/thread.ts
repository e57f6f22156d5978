// One thread, live: the newest messages or those around a link, older and newer pages on demand, and what the stream brings.
import { signal, type Signal } from '@preact/signals';
import type { ThreadView } from '../../../../src/contract/thread.js';
import { call, Refused, Unreachable } from '../api.js';
import { me } from '../hub.js';
import { onHint, onMessage } from '../live.js';
import { withoutLargeData } from '../media.js';
import { addNewer, addOlder, emptyWindow, follow, type Page, type ThreadWindow } from './thread-window.js';
import type { Message } from '../types.js';

type ThreadPage = ThreadView & Page & { messages: Message[] };

const pageSize = 25;
/** After an interruption, so that a short one moves nothing under the reader's eyes. */
const catchUpSize = 100;
/** Messages that came while a page was being read; with more, the end is read again. */
const heldMax = 500;

export class OpenThread {
  readonly thread: Signal<ThreadView | undefined> = signal(undefined);
  readonly window: Signal<ThreadWindow> = signal(emptyWindow);
  readonly error: Signal<Error | undefined> = signal(undefined);
  /** How many came while the reader was elsewhere in the thread. */
  readonly unseen: Signal<number> = signal(0);
  /** The last seq when the page was opened: what is after it is new. */
  readonly openedAt: Signal<number | undefined> = signal(undefined);
  readonly #id: string;
  #held: Message[] = [];
  #reading: Promise<void> | undefined;
  #stop: (() => void)[] = [];

  constructor(id: string) {
    this.#id = id;
  }

  /** At this message, or at the end. Answers how to close it. */
  open(at?: string): () => void {
    this.#stop = [
      onMessage((message) => this.#come(message)),
      onHint((hint) => {
        if (hint === 'all') void this.#catchUp();
      }),
    ];
    void this.#read(() => (at === undefined ? this.#readNewest() : this.#readAround(at)));
    return () => {
      for (const stop of this.#stop) stop();
    };
  }

  readOlder(): Promise<void> {
    return this.#read(async () => {
      const first = this.window.value.messages[0];
      if (first === undefined || !this.window.value.hasOlder) return;
      this.window.value = addOlder(this.window.value, await this.#page({ before: first.seq }));
    });
  }

  readNewer(): Promise<void> {
    return this.#read(async () => {
      if (this.window.value.hasNewer) await this.#readAfterLast();
    });
  }

  /** From wherever the reader is. */
  toNewest(): Promise<void> {
    this.window.value = emptyWindow;
    return this.#read(() => this.#readNewest());
  }

  toMessage(id: string): Promise<void> {
    this.window.value = emptyWindow;
    return this.#read(() => this.#readAround(id));
  }

  /** After something was changed here: title, members, whether it is closed. */
  refreshHeader(): Promise<void> {
    return this.#read(async () => {
      await this.#page({ limit: 1 });
    });
  }

  /** One reading at a time; what the stream brings meanwhile is added after it. */
  async #read(work: () => Promise<void>): Promise<void> {
    while (this.#reading !== undefined) await this.#reading;
    this.#reading = this.#attempt(work);
    await this.#reading;
    this.#reading = undefined;
    this.#addHeld();
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.error.value = undefined;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.error.value = error;
    }
  }

  async #readNewest(): Promise<void> {
    const { messages, hasMore } = await this.#page({});
    this.window.value = { messages, hasOlder: hasMore, hasNewer: false };
    this.unseen.value = 0;
    this.openedAt.value ??= messages.at(-1)?.seq ?? 0;
  }

  async #readAround(id: string): Promise<void> {
    const before = await this.#page({ before: id });
    const last = before.messages.at(-1)?.seq ?? 0;
    this.window.value = { messages: before.messages, hasOlder: before.hasMore, hasNewer: true };
    this.window.value = addNewer(this.window.value, await this.#page({ after: last }));
    this.openedAt.value ??= Number.MAX_SAFE_INTEGER;
  }

  async #readAfterLast(limit = pageSize): Promise<void> {
    const last = this.window.value.messages.at(-1)?.seq ?? 0;
    this.window.value = addNewer(this.window.value, await this.#page({ after: last, limit }));
    if (!this.window.value.hasNewer) this.unseen.value = 0;
  }

  /** The stream is new: what was sent in between is read. Far behind, the newest page is read instead. */
  async #catchUp(): Promise<void> {
    if (this.thread.value === undefined && this.error.value === undefined) return;
    await this.#read(async () => {
      const { messages, hasNewer } = this.window.value;
      if (messages.length === 0) return this.#readNewest();
      if (hasNewer) return this.#page({ limit: 1 }).then(() => undefined);
      await this.#readAfterLast(catchUpSize);
      if (this.window.value.hasNewer) await this.#readNewest();
    });
  }

  async #page(position: object): Promise<ThreadPage> {
    const page = await call<ThreadPage>('get_thread', { threadId: this.#id, limit: pageSize, ...position });
    const { messages, hasMore: _, ...thread } = page;
    this.thread.value = thread;
    return { ...page, messages: messages.map(withoutLargeData) };
  }

  #come(message: Message): void {
    if (message.threadId !== this.thread.value?.threadId && message.threadId !== this.#id) return;
    if (this.#held.length < heldMax) this.#held.push(withoutLargeData(message));
    else if (this.#held.length === heldMax) void this.#catchUp();
    if (this.#reading === undefined) this.#addHeld();
  }

  #addHeld(): void {
    const came = this.#held;
    if (came.length === 0 || this.thread.value === undefined) return;
    this.#held = [];
    if (this.window.value.hasNewer) this.unseen.value += came.length;
    this.window.value = follow(this.window.value, came);
    // A notice: members or the state have changed.
    if (came.some(({ sender }) => sender === 'system')) void this.refreshHeader();
  }
}

export function isMember(thread: ThreadView): boolean {
  return me.value !== undefined && thread.participants.includes(me.value);
}
