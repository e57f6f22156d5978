// Who is in the session, and whether they are there. Presence is not announced, so it is read now and then.
import { computed, effect, signal, type Signal } from '@preact/signals';
import type { AgentView } from '../../../src/contract/agent.js';
import { isIn } from './rights.js';
import { atMostEvery } from './at-most.js';
import { call, Refused, Unreachable } from './api.js';
import { me } from './hub.js';
import { onHint, onMessage } from './live.js';

/** How it can be woken, in the hub's own words; only of hubs that know it. */
export type Member = AgentView & { wake?: { text?: string } };

const everyMs = 20_000;
const oftenMs = 3_000;
/** With news. */
const pauseMs = 500;

const known = signal<readonly Member[]>([]);

/** By id. */
export const members = computed(() => new Map(known.value.map((member) => [member.id, member])));
export const everyone = computed(() => known.value.filter(({ kind }) => kind !== 'system'));
export const team = computed(() => everyone.value.filter(({ id }) => id !== me.value));
/** Who belongs to it changes seldom, presence often: what shows only names reads these. */
export const memberIds = signal<ReadonlySet<string>>(new Set());
export const people = signal<ReadonlySet<string>>(new Set());

effect(() => {
  keep(memberIds, new Set(known.value.map(({ id }) => id)));
  keep(people, new Set(known.value.filter(({ kind }) => kind === 'human').map(({ id }) => id)));
});

function keep(held: Signal<ReadonlySet<string>>, next: ReadonlySet<string>): void {
  const before = held.peek();
  if (before.size !== next.size || [...next].some((id) => !before.has(id))) held.value = next;
}

export async function refreshTeam(): Promise<void> {
  if (!isIn.value || document.visibilityState !== 'visible') return;
  try {
    const { agents } = await call<{ agents: Member[] }>('list_agents', { includeDetails: true });
    known.value = agents;
  } catch (error) {
    // Not worth a banner: it is read again.
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
  }
}

export function followTeam(): void {
  void refreshTeam();
  setInterval(() => void refreshTeam(), everyMs);
  onHint((hint) => {
    if (hint === 'all') void refreshTeam();
  });
}

/** For a page that shows presence large. Answers how to stop. */
export function watchTeam(): () => void {
  void refreshTeam();
  const timer = setInterval(() => void refreshTeam(), oftenMs);
  // A message is unread by some from now on.
  const stop = onMessage(atMostEvery(pauseMs, () => void refreshTeam()));
  return () => {
    clearInterval(timer);
    stop();
  };
}
