// Who a call is made for. A transport provides the connection; access/ turns it into a caller.
import type { Capability } from '../contract/operation.js';

/** What a connection claims about itself, not yet verified. */
export interface Connection {
  agent?: string;
  session?: string;
  key?: string;
  /** Distinguishes one client's connections from another's, for the IN_USE warning. */
  origin: string;
}

export interface Caller {
  readonly sessionId: string;
  /** Null when the operation needs no agent id and none was given. */
  readonly agentId: string | null;
  readonly capabilities: ReadonlySet<Capability>;
  /** Who owns the agent: a key's id, or `open` for everyone in open mode. */
  readonly owner: string;
  readonly origin: string;
}

/** A caller with an agent id. */
export type NamedCaller = Caller & { readonly agentId: string };

export function isAdmin(caller: Caller): boolean {
  return caller.capabilities.has('admin');
}
