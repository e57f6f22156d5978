// Presence by shape: waiting a ring with a dot, active a disc, idle half a disc, offline a ring.
import type { Presence as State } from '../../../src/contract/agent.js';

export function Presence({ state }: { state: State }) {
  return (
    <svg class={`pr pr-${state}`} viewBox="0 0 12 12" aria-hidden="true">
      {state === 'active' ? (
        <circle cx="6" cy="6" r="5.4" fill="currentColor" />
      ) : (
        <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" stroke-width="1.6" />
      )}
      {state === 'waiting' && <circle cx="6" cy="6" r="2" fill="currentColor" />}
      {state === 'idle' && <path d="M6 1.2a4.8 4.8 0 0 0 0 9.6z" fill="currentColor" />}
    </svg>
  );
}
