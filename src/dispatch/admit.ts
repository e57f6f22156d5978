// Makes a caller known: its name is registered, seen, and counted as one program's. Done for every call, and for requests
// that call no operation, so that an agent is there as soon as its client has connected.
import { requireMaySpeakFor } from '../access/decide-person.js';
import { identify } from '../access/identify.js';
import type { ConnectedProgram, ConnectedPrograms } from '../agent/connected-programs.js';
import type { PresenceTracker } from '../agent/presence.js';
import type { Roster } from '../agent/roster.js';
import type { AgentKind } from '../contract/agent.js';
import { HubError } from '../contract/errors.js';
import { operations } from '../contract/operations/index.js';
import type { Caller, Connection, NamedCaller } from '../ports/caller.js';
import type { Call } from './call.js';

export interface AdmitPorts {
  roster: Roster;
  presence: PresenceTracker;
  programs: ConnectedPrograms;
}

type Request = Pick<Call, 'connection' | 'transport'>;

/** Undefined for a caller without a name, and for a command. */
export async function admit(
  ports: AdmitPorts,
  caller: Caller,
  request: Request,
): Promise<ConnectedProgram | undefined> {
  const { sessionId, agentId } = caller;
  if (agentId === null) return undefined;
  await makeKnown(ports, { ...caller, agentId }, request);
  return ports.programs.note(sessionId, agentId, request.connection.program);
}

/** A name carried by the connection is registered; one given only as an argument must be. */
async function makeKnown(
  { roster, presence }: AdmitPorts,
  caller: NamedCaller,
  { connection: { agent, clientTitle }, transport }: Request,
): Promise<AgentKind> {
  const { sessionId, agentId } = caller;
  const kind = await (agent === undefined ? roster.require(sessionId, agentId) : roster.ensure(caller, clientTitle));
  requireMaySpeakFor(kind, caller, transport);
  presence.recordSeen(sessionId, agentId);
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
  return agentId === null ? null : makeKnown(ports, { ...caller, agentId }, { connection, transport: 'http' });
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
