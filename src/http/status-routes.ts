// /readyz and /metrics, for operators and monitoring.
import { defaultSessionId } from '../contract/ids.js';
import type { Store } from '../ports/store.js';
import type { Exchange } from './exchange.js';

export interface StatusPorts {
  store: Pick<Store, 'lastSeq'>;
  isStopping: () => boolean;
  renderMetrics: () => Promise<string>;
}

export async function serveMetrics(ports: StatusPorts, exchange: Exchange): Promise<void> {
  exchange.text(200, await ports.renderMetrics(), { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
}

/** Ready means: the store answers a read, and the hub is not stopping. */
export async function serveReady(ports: StatusPorts, exchange: Exchange): Promise<void> {
  if (ports.isStopping()) return exchange.json(503, { status: 'stopping' });
  try {
    await ports.store.lastSeq({ sessionId: defaultSessionId });
    exchange.json(200, { status: 'ready' });
  } catch {
    exchange.json(503, { status: 'store unavailable' });
  }
}
