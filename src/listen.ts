// Where a hub listens, and what it needs for that.
import type { Config } from './config.js';
import { HubError } from './contract/errors.js';
import { shellArgument } from './contract/shell-argument.js';
import { isLoopback } from './http/guard.js';
import type { HubServer } from './http/server.js';
import type { Log } from './ports/log.js';
import type { Store } from './ports/store.js';

/** In open mode everyone who reaches the hub may be anyone. */
export async function requireKeysBeyondLoopback(store: Pick<Store, 'keyState'>, config: Config): Promise<void> {
  const { host, data, database } = config;
  if (isLoopback(host) || (await store.keyState()).hasKeys) return;
  const place = database === null ? ` --data ${shellArgument(data)}` : ', with the same COTERIE_DATABASE_URL';
  throw new HubError(
    'OPEN_MODE_BEYOND_LOOPBACK',
    `--host was given '${host}', but this hub has no keys: anyone there could act as anyone.`,
    {
      hint: `Make the first key: coterie keys create --agent NAME --admin${place}. Or listen on 127.0.0.1.`,
    },
  );
}

export function warnOfClearText({ host, tls, publicUrl, trustProxy }: Config, log: Log): void {
  if (isLoopback(host) || tls !== null || publicUrl !== null || trustProxy !== '') return;
  log.warn('keys travel in clear text', {
    host,
    hint: 'Give --tls-cert and --tls-key, or put a proxy with TLS before it.',
  });
}

/** Returns the URL of the hub on this machine. */
export async function listen(server: HubServer, { host, port, tls }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(explain(cause, host, port)));
    server.listen(port, host, resolve);
  });
  return urlAt(server, tls);
}

/** The URL of a listening hub on this machine. */
export function urlAt(server: Pick<HubServer, 'address'>, tls: Config['tls']): string {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('a listening TCP server has an address');
  return urlOf({ host: bound.address, port: bound.port, tls });
}

/** A hub on all addresses is reached on loopback by this machine. */
export function urlOf({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `${tls === null ? 'http' : 'https'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

function explain(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const { code = '' } = cause;
  if (code === 'EADDRINUSE') {
    return new HubError('PORT_IN_USE', `Port ${port} on ${host} is in use.`, {
      hint: 'Choose another with --port, or --port 0 for a free one.',
      details: { host, port },
    });
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)) {
    return new HubError('USAGE', `--host was given '${host}', which is not an address of this machine (${code}).`, {
      hint: 'Give an address of this machine, or 0.0.0.0 for all.',
    });
  }
  if (code !== 'EACCES') return cause;
  return new HubError('USAGE', `--port was given ${port}, which this user may not listen on.`, {
    hint: 'Give a port above 1023, or put a proxy before the hub.',
  });
}
