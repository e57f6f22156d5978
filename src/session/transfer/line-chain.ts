// Counts and hashes the lines of an export. The hash is a chain, because its state has to fit into a cursor.
import { hash } from 'node:crypto';
import type { Chain } from '../../ports/transfer.js';

export function emptyChain(): Chain {
  return { lines: 0, sha256: '', counts: {} };
}

/** `kind` is null for the header. */
export function extendChain(chain: Chain, kind: string | null, line: string): void {
  chain.lines += 1;
  chain.sha256 = hash('sha256', chain.sha256 + line, 'hex');
  if (kind !== null) chain.counts[kind] = (chain.counts[kind] ?? 0) + 1;
}
