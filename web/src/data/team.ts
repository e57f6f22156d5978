// Who else is in the session, and whether they are there. Presence is not announced, so it is read now and then.
import { computed, signal } from '@preact/signals';
import type { AgentView } from '../../../src/contract/agent.js';
import { call, Refused, Unreachable } from './api.js';
import { me } from './hub.js';

const everyMs = 20_000;

const known = signal<readonly AgentView[]>([]);

export const team = computed(() => known.value.filter(({ id, kind }) => id !== me.value && kind !== 'system'));
export const people = computed(() => new Set(known.value.filter(({ kind }) => kind === 'human').map(({ id }) => id)));

async function readTeam(): Promise<void> {
  if (me.value === undefined || document.visibilityState !== 'visible') return;
  try {
    const { agents } = await call<{ agents: AgentView[] }>('list_agents', { includeDetails: false });
    known.value = agents;
  } catch (error) {
    // Not worth a banner: it is read again.
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
  }
}

export function followTeam(): void {
  void readTeam();
  setInterval(() => void readTeam(), everyMs);
  document.addEventListener('visibilitychange', () => void readTeam());
}
