// Which peers are trusted proxies: a comma-separated list of addresses and networks.
import { BlockList, isIP } from 'node:net';

export type IsTrustedProxy = (address: string) => boolean;

/** Undefined if the list is not valid. An empty list trusts nobody. */
export function trustedProxies(list: string): IsTrustedProxy | undefined {
  const known = new BlockList();
  const entries = list.split(',').map((entry) => entry.trim());
  if (entries.length === 1 && entries[0] === '') return () => false;
  for (const entry of entries) {
    const [, address = '', bits] = /^([0-9a-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const version = isIP(address);
    const bitsMax = version === 6 ? 128 : 32;
    if (version === 0 || Number(bits ?? bitsMax) > bitsMax) return undefined;
    known.addSubnet(address, Number(bits ?? bitsMax), familyOf(version));
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && known.check(address, familyOf(version));
  };
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 6 ? 'ipv6' : 'ipv4';
}
