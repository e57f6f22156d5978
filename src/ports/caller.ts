// Who a call is made for. Doors bring a connection; access/ turns it into a caller.
import type { Capability } from '../contract/operation.js';

/** What a connection says about itself, before anything is believed. */
export interface Connection {
  agent?: string;
  session?: string;
  key?: string;
  /** Tells one client's connections from another's, for the IN_USE warning. */
  origin: string;
}

export interface Caller {
  readonly sessionId: string;
  /** Null when the operation needs no name and none was given. */
  readonly agentId: string | null;
  readonly capabilities: ReadonlySet<Capability>;
  /** Who answers for the agent: a key's id, or `open` for everyone in open mode. */
  readonly owner: string;
  readonly origin: string;
}

/** A caller that has a name. */
export type NamedCaller = Caller & { readonly agentId: string };

export function isAdmin(caller: Caller): boolean {
  return caller.capabilities.has('admin');
}
