// list_agents, and wait_for_agents, a start barrier over the same list.
import { answerFrameTokens, countThatFit, entryTokens } from '../contract/budget/message-tokens.js';
import type { ModelReader } from '../contract/budget/model-reader.js';
import { decodeCursor, encodeCursor } from '../contract/cursor.js';
import type { AgentView } from '../contract/agent.js';
import { HubError } from '../contract/errors.js';
import type { listAgents as listContract } from '../contract/operations/list-agents.js';
import type { waitForAgents as waitContract } from '../contract/operations/wait-for-agents.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { isAdmin, type Caller } from '../ports/caller.js';
import { reportProgress } from '../contract/progress.js';
import type { AgentBarriers } from './barriers.js';
import { viewAgent, type AgentPorts } from './register.js';

export async function listAgents(
  ports: AgentPorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof listContract>; model: ModelReader | undefined },
): Promise<OutputOf<typeof listContract>> {
  const { sessionId } = caller;
  const after = input.cursor === undefined ? '' : lastIdOf(input.cursor);
  const found = await ports.store.listAgents({ sessionId, group: input.group ?? null, now: ports.clock.now() });
  const wanted = input.capability;
  const agents = found
    .filter(({ id, capabilities }) => id > after && (wanted === undefined || capabilities.includes(wanted)))
    .map(({ unread, oldestUnreadAt, ...agent }) => {
      const view = viewAgent(ports, sessionId, agent);
      const shown = { ...view, ...wakeFields(ports, sessionId, view) };
      if (input.includeDetails && !seesInbox(caller, agent.id)) return shown;
      // A model has no use for the time, and pays for it.
      const oldest = model === undefined && oldestUnreadAt !== null ? oldestUnreadAt : undefined;
      if (input.includeDetails) {
        return { ...shown, unread, ...(oldest === undefined ? {} : { oldestUnread: new Date(oldest).toISOString() }) };
      }
      return { id: view.id, name: view.name, description: view.description, presence: view.presence };
    });
  if (model === undefined) return { agents };
  const page = agents.slice(0, countThatFit(agents, model.tokensMax - answerFrameTokens, entryTokens));
  const last = page.at(-1);
  if (last === undefined || page.length === agents.length) return { agents };
  return { agents: page, hasMore: true, cursor: encodeCursor({ kind: 'position', after: [last.id] }) };
}

/** Whoever is there, and a person, needs no waking. */
function wakeFields(
  { wakeOf }: AgentPorts,
  sessionId: string,
  { id, presence, kind }: AgentView,
): Pick<AgentView, 'wake'> {
  const wake = wakeOf(sessionId, id, presence);
  if (wake !== undefined) return { wake };
  const isThere = presence === 'waiting' || presence === 'active' || kind !== undefined;
  return isThere ? {} : { wake: { state: 'none', text: `${presence}, no wake route` } };
}

/** How much mail waits for others is for admins. */
function seesInbox(caller: Caller, agentId: string): boolean {
  return agentId === caller.agentId || isAdmin(caller);
}

/** The last id of the previous page: the list is sorted by id. */
function lastIdOf(text: string): string {
  const cursor = decodeCursor(text);
  const [id, ...rest] = cursor?.kind === 'position' ? cursor.after : [];
  if (typeof id === 'string' && rest.length === 0) return id;
  throw new HubError('INVALID_INPUT', 'cursor: is not a position in this list.', {
    hint: 'Use the cursor of an earlier answer, or leave it out.',
    details: { field: 'cursor' },
  });
}

export interface BarrierPorts extends AgentPorts {
  barriers: Pick<AgentBarriers, 'onMet'>;
  /** Undefined while the session is open. */
  waitRefusal: (sessionId: string) => Promise<HubError | undefined>;
  stopping: { readonly isStopping: boolean; onStop(callback: () => void): () => void };
  /** A place among the parked waits; the returned function frees it. */
  reserveWait: (caller: Caller) => () => void;
}

export interface BarrierContext {
  client: { readonly isGone: boolean; onGone(callback: () => void): () => void };
  waitMsMax?: number | undefined;
  progress?: ((text: string) => void) | undefined;
}

type WaitInput = InputOf<typeof waitContract>;
type WaitOutput = OutputOf<typeof waitContract>;

export async function waitForAgents(
  ports: BarrierPorts,
  caller: Caller,
  { input, context }: { input: WaitInput; context: BarrierContext },
): Promise<WaitOutput> {
  if (input.count === undefined && input.agentIds === undefined) {
    throw new HubError('INVALID_INPUT', 'wait_for_agents needs count or agentIds.', {
      hint: 'Give the ids to wait for, or how many agents.',
    });
  }
  const startedAt = ports.clock.monotonic();
  const waitMs = Math.min(input.timeoutMs, context.waitMsMax ?? input.timeoutMs);
  const deadline = startedAt + waitMs;
  const freePlace = ports.reserveWait(caller);
  const stopProgress = reportProgress(ports.clock, context.progress, () => 'waiting for agents');
  try {
    const found = await presentBy(deadline, { ports, caller, input, context });
    return {
      ...found,
      timedOut: !found.complete,
      waitedMs: Math.round(ports.clock.monotonic() - startedAt),
      ...(waitMs < input.timeoutMs ? { clampedToMs: waitMs } : {}),
    };
  } finally {
    stopProgress();
    freePlace();
  }
}

interface Barrier {
  ports: BarrierPorts;
  caller: Caller;
  input: WaitInput;
  context: BarrierContext;
}

async function presentBy(deadline: number, { ports, caller, input, context }: Barrier): Promise<Present> {
  for (;;) {
    const isMet = (here: ReadonlySet<string>) => presentOf(here, input).complete;
    const changed = nextChange(ports, caller.sessionId, { deadline, client: context.client, isMet });
    const [found, refusal] = await Promise.all([
      agentsPresent(ports, caller, input),
      ports.waitRefusal(caller.sessionId),
    ]).catch((error: unknown) => {
      changed.cancel();
      throw error;
    });
    const isOver = ports.clock.monotonic() >= deadline || context.client.isGone || ports.stopping.isStopping;
    if (found.complete || isOver) {
      changed.cancel();
      return found;
    }
    if (refusal !== undefined) {
      changed.cancel();
      throw refusal;
    }
    await changed.happened;
  }
}

type Present = Pick<WaitOutput, 'complete' | 'present' | 'missing'>;

async function agentsPresent(ports: BarrierPorts, { sessionId }: Caller, input: WaitInput): Promise<Present> {
  return presentOf(await agentsHere(ports, sessionId), input);
}

/** The ids of the agents that are registered and not offline. */
export async function agentsHere(
  { store, clock, presence }: Pick<AgentPorts, 'store' | 'clock' | 'presence'>,
  sessionId: string,
): Promise<ReadonlySet<string>> {
  const agents = await store.listAgents({ sessionId, group: null, now: clock.now() });
  return new Set(
    agents
      .filter(({ id, lastSeenAt }) => presence.presenceOf(sessionId, id, lastSeenAt) !== 'offline')
      .map(({ id }) => id),
  );
}

function presentOf(here: ReadonlySet<string>, { count = 0, agentIds }: WaitInput): Present {
  if (agentIds === undefined && here.size < count) return { complete: false, present: [...here], missing: [] };
  const present = agentIds === undefined ? [...here] : agentIds.filter((id) => here.has(id));
  const missing = (agentIds ?? []).filter((id) => !here.has(id));
  return { complete: missing.length === 0 && present.length >= count, present, missing };
}

/** Subscribed before the list is read, so that an agent that appears meanwhile is not missed. */
function nextChange(
  ports: BarrierPorts,
  sessionId: string,
  {
    deadline,
    client,
    isMet,
  }: { deadline: number; client: BarrierContext['client']; isMet: (here: ReadonlySet<string>) => boolean },
): { happened: Promise<void>; cancel: () => void } {
  const undo: (() => void)[] = [];
  const happened = new Promise<void>((resolve) => {
    undo.push(ports.barriers.onMet(sessionId, isMet, resolve), client.onGone(resolve), ports.stopping.onStop(resolve));
    undo.push(ports.clock.after(Math.max(0, deadline - ports.clock.monotonic()), resolve));
  });
  const cancel = () => {
    for (const stop of undo.splice(0)) stop();
  };
  void happened.then(cancel);
  return { happened, cancel };
}
