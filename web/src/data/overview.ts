// What the overview shows beside the team: volume, dead letters, sessions and channels. Read while the page is open.
import { signal } from '@preact/signals';
import type { DeadLetterView } from '../../../src/contract/dead-letter.js';
import type { ListedSessionView } from '../../../src/contract/session.js';
import type { ChannelView } from '../../../src/contract/signal/channel.js';
import { atMostEvery } from './at-most.js';
import { call, Refused, Unreachable } from './api.js';
import { isAudited } from './hub.js';
import { onHint, onMessage } from './live.js';
import { watchTeam } from './team.js';

export interface Activity {
  since: string;
  until: string;
  sent: number[];
  copies: number[];
  pairs: { from: string; to: string; messages: number }[];
  countedSince?: string;
  /** Of the last hour; for admins. */
  wakes?: { count: number; p50: number | null; p99: number | null; parts: (number | null)[] };
  loops?: { agents: string[]; threadId?: string; at: string; times: number }[];
}

/** Undefined while it is loading, null if this person may not see it. */
type Read<Value> = Value | undefined | null;

/** The last hour, minute by minute. */
export const lastHour = signal<Read<Activity>>(undefined);
/** The last day, for who talks to whom. */
export const lastDay = signal<Read<Activity>>(undefined);
export const deadLetters = signal<Read<{ letters: readonly DeadLetterView[]; hasMore: boolean }>>(undefined);
export const sessions = signal<Read<readonly ListedSessionView[]>>(undefined);
export const channels = signal<Read<readonly ChannelView[]>>(undefined);

const everyMs = 5_000;
/** Without news. */
const idleMs = 60_000;
const dayMs = 24 * 60 * 60_000;

export async function readOverview(): Promise<void> {
  await Promise.all([readNumbers(), readLetters()]);
}

/** Each reading of others' mail is an entry of the audit log: with keys they are read when the page is opened, and when someone asks. */
export function readLetters(): Promise<void> {
  return read(deadLetters, async () => {
    const page = await call<{ deadLetters: DeadLetterView[]; hasMore: boolean }>('get_dead_letters', { limit: 20 });
    return { letters: page.deadLetters, hasMore: page.hasMore };
  });
}

async function readNumbers(): Promise<void> {
  const since = new Date(Date.now() - dayMs).toISOString();
  await Promise.all([
    read(lastHour, () => call<Activity>('get_activity', { buckets: 60 })),
    read(lastDay, () => call<Activity>('get_activity', { since, buckets: 24 })),
    read(
      sessions,
      async () => (await call<{ sessions: ListedSessionView[] }>('list_sessions', { limit: 50 })).sessions,
    ),
    read(channels, async () => (await call<{ channels: ChannelView[] }>('list_channels', {})).channels),
  ]);
}

async function read<Value>(into: { value: Read<Value> }, ask: () => Promise<Value>): Promise<void> {
  try {
    into.value = await ask();
  } catch (error) {
    if (error instanceof Refused && error.status < 500) into.value = null;
    // Else it is read again; the banner speaks.
    else if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
  }
}

function readIfSeen(wanted: () => Promise<void>): void {
  if (document.visibilityState === 'visible') void wanted();
}

/** While the page is open. Answers how to stop. */
export function watchOverview(): () => void {
  const note = atMostEvery(everyMs, () => readIfSeen(isAudited.value ? readNumbers : readOverview));
  readIfSeen(readOverview);
  const timer = setInterval(note, idleMs);
  const stops = [watchTeam(), onMessage(note), onHint(note), () => clearInterval(timer)];
  return () => {
    for (const stop of stops) stop();
  };
}
