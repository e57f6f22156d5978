// What the use cases of questions and alerts need.
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import type { Appended, Store } from '../ports/store.js';
import type { Sealer } from '../ports/signal.js';
import type { Wakeup } from '../ports/wakeup.js';

export interface SignalPorts {
  store: Store;
  clock: Clock;
  ids: Ids;
  wakeup: Pick<Wakeup, 'signals'>;
  sealer: Sealer;
  /** Refuses an alert too many. What it returns takes the count back. */
  countAlert: (sender: { sessionId: string; agentId: string }) => () => void;
  /** A keyed hash: what is stored must not tell what was asked. */
  requestMac: (request: string) => string;
  announce: (sessionId: string, appended: readonly Appended[]) => void;
  /** Where a person opens the app. */
  appUrl: () => string;
}
