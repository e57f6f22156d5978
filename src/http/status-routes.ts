// /readyz and /metrics, for operators and monitoring.
import { HubError, type ErrorCode } from '../contract/errors.js';
import { defaultSessionId } from '../contract/ids.js';
import type { Store } from '../ports/store.js';
import type { Exchange } from './exchange.js';

export interface StatusPorts {
  store: Pick<Store, 'lastSeq'>;
  /** The code with which the store refuses writes now. */
  storeRefusal: () => ErrorCode | null;
  isStopping: () => boolean;
  /** The database was used with another secret: Signal does not work. */
  hasOtherSecret: () => boolean;
  renderMetrics: () => Promise<string>;
}

/** The numbers are those of all sessions. */
export async function serveMetrics(ports: StatusPorts, exchange: Exchange): Promise<void> {
  if (exchange.grant?.capabilities.has('admin') === false) throw metricsForbidden();
  exchange.text(200, await ports.renderMetrics(), { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
}

/** Ready means: the store answers a read and accepts writes, and the hub is not stopping. */
export async function serveReady(ports: StatusPorts, exchange: Exchange): Promise<void> {
  if (ports.isStopping()) return exchange.json(503, { status: 'stopping' });
  const code = ports.storeRefusal();
  if (code !== null) return exchange.json(503, { status: 'store refuses writes', code });
  try {
    await ports.store.lastSeq({ sessionId: defaultSessionId });
    exchange.json(200, { status: 'ready', ...(ports.hasOtherSecret() ? { signal: 'HUB_SECRET_MISMATCH' } : {}) });
  } catch {
    exchange.json(503, { status: 'store unavailable' });
  }
}

function metricsForbidden(): HubError {
  return new HubError('FORBIDDEN', "This key may not read /metrics, which needs 'admin'.", {
    hint: 'Let the scraper use an admin key of a session of its own: coterie keys create --session metrics --agent scraper --admin',
    details: { needs: 'admin' },
  });
}
