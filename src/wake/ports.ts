// What the use cases of waking need.
import type { Clock } from '../ports/clock.js';
import type { HubSecret } from '../ports/hub-secret.js';
import type { Ids } from '../ports/ids.js';
import type { Store } from '../ports/store.js';
import type { ParkPorts } from '../message/wait/read-until.js';
import type { ReserveWait } from '../message/wait/reserve-wait.js';
import type { WakeGuard } from '../signal/push/endpoint-guard.js';
import type { KnownWakes } from './known-wakes.js';

export interface WakePorts extends ParkPorts {
  store: Store;
  clock: Clock;
  ids: Ids;
  reserveWait: ReserveWait;
  knownWakes: KnownWakes;
  /** Whether the agent has a wait parked, at any hub. */
  isWaiting: (sessionId: string, agentId: string) => boolean;
  wakeGuard: WakeGuard;
  hubSecret: Pick<HubSecret, 'box' | 'mac' | 'requireOurs'>;
}

/** A companion that does not ask for so long is gone. A wait may be longer; then it counts from its end. */
export const leaseMs = 60_000;
/** The companion of webhooks is the hub itself. */
export const hubCompanion = 'hub';
