// Opens the hub's secret, and finds out whether it is the one that the database is used with.
import { HubError } from '../../contract/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { HubSecret } from '../../ports/hub-secret.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Store } from '../../ports/store.js';
import type { SignalKeys } from '../envelope/index.js';
import { openSecret } from './hub-secret.js';
import { findSecret, type SecretPlace } from './secret-file.js';

interface SecretPorts {
  store: Pick<Store, 'findHubIdentity' | 'claimHubIdentity'>;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'secretMismatch'>;
}

export interface OwnedSecret extends HubSecret {
  /** With the private keys: for the sealer alone. */
  readonly keys: SignalKeys;
  isOther(): boolean;
  /** Looks again. An operator should not learn it from the first question. */
  check(): Promise<void>;
}

/** Messages go on with another secret: only Signal needs it. */
export async function openHubSecret(ports: SecretPorts, place: SecretPlace): Promise<OwnedSecret> {
  const { store, clock, log, metrics } = ports;
  const { secret, from, warning } = findSecret(place);
  if (warning !== undefined) log.warn('hub_secret_readable', { warning });
  const opened = await openSecret(secret);
  let state: 'unused' | 'ours' | 'other' = 'unused';

  function compare(kid: string): void {
    const found = kid === opened.identity.kid ? 'ours' : 'other';
    if (found === 'other' && state !== 'other') log.error('hub_secret_mismatch', { secret: from, hint: mismatchHint });
    state = found;
    metrics.secretMismatch(found === 'other');
  }

  async function check(): Promise<void> {
    const found = await store.findHubIdentity();
    if (found !== null) compare(found.kid);
  }

  await check();
  return {
    ...opened,
    check,
    isOther: () => state === 'other',
    async requireOurs() {
      if (state === 'unused') {
        const { kid } = await store.claimHubIdentity({ identity: opened.identity, at: clock.now() });
        compare(kid);
      }
      if (state === 'other') throw mismatch();
    },
  };
}

const mismatchHint =
  'Copy the file hub-secret of the hub that this database was first used with to this hub’s place for it, or set COTERIE_HUB_SECRET, and restart.';

function mismatch(): HubError {
  return new HubError(
    'HUB_SECRET_MISMATCH',
    'This hub has another secret than the one its database was first used with.',
    {
      hint: `Messages work; questions and alerts do not. On the hub's machine: ${mismatchHint}`,
    },
  );
}
