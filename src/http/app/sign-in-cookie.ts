// The cookie of a device's sign-in. Its name has the hub's id, because cookies do not tell ports apart: two hubs on one
// machine would replace each other's.
import type { Exchange } from '../exchange.js';

const prefix = '__Host-coterie-';

/** Null if there is none, or several: another origin may have set one of them. */
export function signInIn(exchange: Exchange, hubId: string): string | null {
  const header = exchange.header('cookie');
  if (header === undefined) return null;
  const name = `${prefix}${hubId}=`;
  const found = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  return found.length === 1 ? (found[0]?.slice(name.length) ?? null) : null;
}

/** Scripts cannot read it, other sites cannot make a browser send it, and it is never sent in the clear. */
export function signInCookie(hubId: string, key: string, seconds: number): string {
  return `${prefix}${hubId}=${key}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Strict`;
}
