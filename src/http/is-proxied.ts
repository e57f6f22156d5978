// Behind a proxy, clients may share connections.
import type { Exchange } from './exchange.js';

export function isProxied(exchange: Exchange): boolean {
  return ['via', 'forwarded', 'x-forwarded-for'].some((name) => exchange.header(name) !== undefined);
}
