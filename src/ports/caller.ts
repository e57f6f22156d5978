// Who a call is made for. A transport provides the connection; access/ turns it into a caller.
import type { KeyCapability } from '../contract/operation.js';

/** What a verified key allows. A verifier of other credentials, such as tokens of an issuer, returns one too. */
export interface Grant {
  /** For a sign-in with a key: that key, which is audited, counted and revoked. */
  readonly keyId: string;
  /** Set for a sign-in in a browser. */
  readonly signInId: string | null;
  readonly sessionId: string;
  /** Null for an observer. */
  readonly agentId: string | null;
  readonly capabilities: ReadonlySet<KeyCapability>;
  readonly expiresAt: number | null;
  /** The key was made for a person. */
  readonly isPerson: boolean;
  /** Set for the sign-in of a person's device. */
  readonly device: GrantDevice | null;
}

/** The paired device that a request comes from. */
export interface GrantDevice {
  readonly id: string;
  readonly name: string;
  /** Its keys are known to be the device's own. */
  readonly isVerified: boolean;
}

/** What a connection claims about itself. Its grant is verified; names beside it must agree with it. */
export interface Connection {
  /** Null in open mode. */
  grant: Grant | null;
  agent?: string;
  session?: string;
  /** Where the request came from. */
  address: string;
  /** The hub's own page made the request. */
  isPage?: boolean;
  /** The program made the request by itself: no model asked for it. */
  isUnprompted?: boolean;
  /** The client's own name, such as "Claude Code". */
  clientTitle?: string;
  program: Program;
  connectAs: ConnectAs;
}

/** How the client would connect under this name: an address, a header or a flag. */
export type ConnectAs = (agentId: string) => string;

/** The client program that made a request, as far as it can be told from others. */
export interface Program {
  /** Unique to the program, if it has such an id; else null. */
  readonly id: string | null;
  /** The same for all requests of the program, and possibly for other programs. */
  readonly likeness: string;
  /** A handshake: the program has just connected. */
  readonly isHandshake: boolean;
  /** A command that a person or a hook runs beside an agent. */
  readonly isCommand: boolean;
  readonly socket: ProgramSocket;
  /** The socket is a proxy's, which keeps it open when the program has gone. */
  readonly isProxied: boolean;
}

/** The part of a socket that tells whether the program still holds it open. */
export interface ProgramSocket {
  readonly destroyed: boolean;
  /** True once the program has closed its half. */
  readonly readableEnded: boolean;
}

export interface Caller {
  readonly sessionId: string;
  /** Null when the operation needs no agent id and none was given. */
  readonly agentId: string | null;
  readonly capabilities: ReadonlySet<KeyCapability>;
  /** Who owns the agent: `key` for all keys made for its name, `open` for everyone in open mode. */
  readonly owner: string;
  /** Null in open mode. */
  readonly grant: Grant | null;
  readonly address: string;
  /** It acts on the hub's own page: all that it does is in the audit log. */
  readonly isPage?: boolean | undefined;
  readonly connectAs: ConnectAs;
}

/** A caller with an agent id. */
export type NamedCaller = Caller & { readonly agentId: string };

export function isAdmin(caller: Caller): boolean {
  return caller.capabilities.has('admin');
}

/** Reads threads that are not private, and nothing else. */
export function isObserver(caller: Caller): boolean {
  return caller.capabilities.has('observer');
}

/** For whom stored messages are read: all of them, those in threads that are not private, or those of one agent. */
export type Reader = { kind: 'all' } | { kind: 'observer' } | { kind: 'agent'; agentId: string };

export function readerOf(caller: Caller): Reader {
  return isAdmin(caller) ? { kind: 'all' } : readerWithoutAdmin(caller);
}

/** What an admin reads beyond this is mail of others. */
export function readerWithoutAdmin({ agentId }: Caller): Reader {
  return agentId === null ? { kind: 'observer' } : { kind: 'agent', agentId };
}
