// The list of threads: the last active first, then the others by age, page by page. Read again with each message.
import { computed, signal } from '@preact/signals';
import type { ThreadView } from '../../../../src/contract/thread.js';
import { call, Refused, Unreachable } from '../api.js';
import { atMostEvery } from '../at-most.js';
import { isIn } from '../rights.js';
import { onHint, onMessage } from '../live.js';

export type ListedThread = ThreadView & { critical: boolean; unread: number; lastAt?: string };

export interface ThreadFilter {
  status?: string | undefined;
  participant?: string | undefined;
}

interface Read {
  threads: ListedThread[];
  cursor: string | null;
}

const pageSize = 50;
const shownInNav = 12;
const pauseMs = 500;
/** More is refused. */
const titleCharsMax = 200;

const newest = signal<readonly ListedThread[]>([]);

/** For the side bar: those that are open, unread ones first. */
export const openThreads = computed(() =>
  newest.value
    .filter(({ status }) => status === 'open')
    .toSorted((a, b) => Number(b.unread > 0) - Number(a.unread > 0))
    .slice(0, shownInNav),
);

/** The first page begins with those that are active; a page by age may have them again. */
export async function readThreads(filter: ThreadFilter, cursor?: string): Promise<Read> {
  const { status, participant } = filter;
  const asked = {
    limit: pageSize,
    ...(status === undefined ? {} : { status }),
    ...(participant === undefined ? {} : { participant }),
  };
  if (cursor !== undefined) return call<Read>('list_threads', { ...asked, cursor });
  const [active, byAge] = await Promise.all([
    call<{ threads: ListedThread[] }>('list_active_threads', asked),
    call<Read>('list_threads', asked),
  ]);
  return { threads: joined(active.threads, byAge.threads), cursor: byAge.cursor };
}

/** Each thread once, where it comes first. */
export function joined(before: readonly ListedThread[], after: readonly ListedThread[]): ListedThread[] {
  const known = new Set(before.map(({ threadId }) => threadId));
  return [...before, ...after.filter(({ threadId }) => !known.has(threadId))];
}

const foundMax = 12;

/** Of all threads, those with this in their titles. */
export async function findThreads(title: string): Promise<readonly ListedThread[]> {
  return (await call<Read>('list_threads', { title: title.slice(0, titleCharsMax), limit: foundMax })).threads;
}

/** Changes whenever the lists of threads should be read again. */
export const threadsChanged = signal(0);

const owe = atMostEvery(pauseMs, () => {
  threadsChanged.value += 1;
  void readNewest();
});

async function readNewest(): Promise<void> {
  if (!isIn.value || document.visibilityState !== 'visible') return;
  try {
    newest.value = (await readThreads({})).threads;
  } catch (error) {
    // Not worth a banner: it is read again.
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
  }
}

export function followThreads(): void {
  void readNewest();
  onMessage(({ threadId }) => {
    if (threadId !== undefined) owe();
  });
  onHint((hint) => {
    if (hint === 'all') owe();
  });
}
