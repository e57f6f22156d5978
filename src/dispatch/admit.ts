// Makes a caller known: its name is registered, seen, and counted as one program's. Done for every call, and for requests
// that call no operation, so that an agent is there as soon as its client has connected.
import { requireMaySpeakFor } from '../access/decide-person.js';
import { identify } from '../access/identify.js';
import type { ConnectedProgram, ConnectedPrograms } from '../agent/connected-programs.js';
import type { PresenceTracker } from '../agent/presence.js';
import type { Roster } from '../agent/roster.js';
import type { AgentKind } from '../contract/agent.js';
import { HubError } from '../contract/errors.js';
import { defaultSessionId } from '../contract/ids.js';
import type { Operation } from '../contract/operation.js';
import { operations } from '../contract/operations/index.js';
import type { Caller, Connection, NamedCaller } from '../ports/caller.js';
import type { Call } from './call.js';

export interface AdmitPorts {
  roster: Roster;
  presence: PresenceTracker;
  programs: ConnectedPrograms;
  /** Refuses callers in a session that is being imported. */
  imports: { requireThere(sessionId: string): Promise<void> };
  /** Learns of each call of an agent's own program: it confirms a wake. */
  wakes: { called(sessionId: string, agentId: string): Promise<void> | undefined };
}

/** Without an operation: a request of a client that calls none. */
type Request = Pick<Call, 'connection' | 'transport'> & { operation?: Pick<Operation, 'doesNotCount' | 'effect'> };

/** Undefined for a caller without a name, for a command, and for a companion. */
export async function admit(
  ports: AdmitPorts,
  caller: Caller,
  request: Request,
): Promise<ConnectedProgram | undefined> {
  const { sessionId, agentId } = caller;
  if (agentId === null) {
    await requireThere(ports, caller);
    return undefined;
  }
  await makeKnown(ports, { ...caller, agentId }, request);
  if (request.operation?.doesNotCount === true) return undefined;
  return ports.programs.note(sessionId, agentId, request.connection.program);
}

/** The store refuses to register a name where a session is being imported; of nameless callers, a key's session is there. */
async function requireThere({ imports }: Pick<AdmitPorts, 'imports'>, { sessionId, grant }: Caller): Promise<void> {
  if (grant === null && sessionId !== defaultSessionId) await imports.requireThere(sessionId);
}

/** A call of the agent itself: not of a companion, a hook or a person beside it, and not one that its program makes unprompted. */
function isOwnCall({ connection, operation }: Request): boolean {
  if (operation === undefined || operation.doesNotCount === true) return false;
  return !connection.program.isCommand && connection.isUnprompted !== true;
}

/** A command that only looks something up does not show that the agent is there; a person's does. */
function isSign({ connection, operation }: Request, kind: AgentKind): boolean {
  if (operation?.doesNotCount === true) return false;
  if (!connection.program.isCommand || kind === 'human') return true;
  return operation !== undefined && operation.effect !== 'reads';
}

/** A name carried by the connection is registered; one given only as an argument must be. */
async function makeKnown(
  { roster, presence, wakes }: AdmitPorts,
  caller: NamedCaller,
  request: Request,
): Promise<AgentKind> {
  const { sessionId, agentId } = caller;
  const { connection, transport } = request;
  const { agent, clientTitle } = connection;
  const { kind, isNew } = await (agent === undefined
    ? roster.require(sessionId, agentId)
    : roster.ensure(caller, clientTitle));
  requireMaySpeakFor(kind, caller, transport);
  const isOwn = isOwnCall(request);
  // Whoever gives a new name is there, whatever the call.
  const isNamed = isNew && request.operation?.doesNotCount !== true;
  if (isNamed || isSign(request, kind)) presence.recordSeen(sessionId, agentId, isOwn);
  if (isOwn) await wakes.called(sessionId, agentId);
  return kind;
}

/** For a request of an MCP client that calls no operation. What is wrong with its name is said when it calls one. */
export async function greet(ports: AdmitPorts, connection: Connection): Promise<void> {
  const caller = callerOf(connection);
  if (caller === undefined) return;
  try {
    await admit(ports, caller, { connection, transport: 'mcp' });
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
  }
}

/** Undefined for a connection without a name, and for one whose name is not its key's. */
function callerOf(connection: Connection): NamedCaller | undefined {
  if (connection.agent === undefined) return undefined;
  try {
    const { agentId, ...caller } = identify(operations.registerAgent, connection, undefined);
    return agentId === null ? undefined : { ...caller, agentId };
  } catch (error) {
    if (error instanceof HubError) return undefined;
    throw error;
  }
}

/** A follower of the feed reads no mail, so it does not count as a program under its name. */
export async function admitFollower(
  ports: AdmitPorts,
  caller: Caller,
  connection: Connection,
): Promise<AgentKind | null> {
  const { agentId } = caller;
  if (agentId !== null) return makeKnown(ports, { ...caller, agentId }, { connection, transport: 'http' });
  await requireThere(ports, caller);
  return null;
}

/** For what is no request: it registers no one, or an agent that was removed would be back. */
export function noteSocket({ programs }: Pick<AdmitPorts, 'programs'>, connection: Connection): void {
  const caller = callerOf(connection);
  if (caller !== undefined) programs.noteSocket(caller.sessionId, caller.agentId, connection.program);
}

/** The program ended its session. */
export function dismiss({ programs }: Pick<AdmitPorts, 'programs'>, connection: Connection): void {
  const caller = callerOf(connection);
  if (caller !== undefined) programs.leave(caller.sessionId, caller.agentId, connection.program);
}
