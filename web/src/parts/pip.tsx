// A receipt by shape: full read, half handed out, empty not yet, a cross for what never arrives.
import type { CopyState } from '../../../src/contract/message.js';

export function Pip({ state }: { state: CopyState }) {
  return (
    <svg class="pip" viewBox="0 0 6 12" aria-hidden="true">
      {state === 'read' && <rect width="6" height="12" rx="1.5" fill="currentColor" />}
      {(state === 'delivered' || state === 'pending') && (
        <rect x=".7" y=".7" width="4.6" height="10.6" rx="1" fill="none" stroke="currentColor" stroke-width="1.4" />
      )}
      {state === 'delivered' && <path d="M.7 6h4.6v4.3a1 1 0 0 1-1 1H1.7a1 1 0 0 1-1-1z" fill="currentColor" />}
      {(state === 'expired' || state === 'dead_lettered') && (
        <path d="m.8 2.5 4.4 7m0-7-4.4 7" fill="none" stroke="currentColor" stroke-width="1.6" />
      )}
    </svg>
  );
}
