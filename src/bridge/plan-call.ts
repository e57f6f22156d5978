// Plans how the bridge forwards a tool call; pure. A call that the contract would refuse is forwarded unchanged, so that
// the hub's error uses the caller's own field names.
import type { Operation } from '../contract/operation.js';
import { operationCalled } from '../contract/operations/index.js';
import { operationUnknown, type ShownTools } from '../contract/shown-tools.js';
import { respellInput, type SpelledInput } from '../contract/input/spelling.js';

export interface CallPlan {
  operation: Operation;
  /** As sent to the hub. */
  input: Record<string, unknown>;
  /** As the contract parses it; undefined if invalid. */
  parsed: Record<string, unknown> | undefined;
  mayRepeat: boolean;
  /** True when the bridge added the idempotency key: a duplicate is then our own retry. */
  isKeyOurs: boolean;
  /** Set when the bridge leases the messages and settles the lease itself. */
  lease?: { reader?: string };
  /** Set for a wait: the field that holds its timeout, and the requested timeout. */
  wait?: { field: string; askedMs: number };
}

/** Idempotent without a key. */
const idempotent = new Set([
  'wait_for_mentions',
  'wait_for_responses',
  'get_messages',
  'ack_messages',
  'register_agent',
]);
const leasing = new Set(['wait_for_mentions', 'wait_for_responses', 'create_critical_thread', 'get_messages']);
/** Waits, and the field that holds the timeout. */
const waitField: Readonly<Record<string, string>> = {
  wait_for_mentions: 'timeoutMs',
  wait_for_responses: 'timeoutMs',
  wait_for_agents: 'timeoutMs',
  create_critical_thread: 'timeoutMs',
  get_response: 'waitMs',
};

export interface PlanPorts {
  /** The agent of the connection. */
  agent: string | undefined;
  tools: ShownTools;
  newKey: () => string;
}

export function planCall(ports: PlanPorts, name: string, given: Record<string, unknown>): CallPlan {
  const operation = operationCalled(name) ?? operationCalled(name.replaceAll('-', '_'));
  if (operation === undefined) throw operationUnknown(name, ports.tools.listAll);
  const isKeyed = Object.hasOwn(operation.input.shape, 'idempotencyKey');
  const mayRepeat = isKeyed || operation.effect === 'reads' || idempotent.has(operation.name);
  const plan: CallPlan = { operation, input: { ...given }, parsed: undefined, mayRepeat, isKeyOurs: false };
  const spelled = respell(operation, given);
  const read = spelled === undefined ? undefined : operation.input.safeParse(spelled.fields);
  if (spelled === undefined || read?.success !== true) return plan;
  plan.parsed = read.data;
  const fieldFor = (field: string) => spelled.writtenAs.get(field) ?? operation.shownAs?.[field] ?? field;
  if (isKeyed && read.data['idempotencyKey'] === undefined) {
    plan.isKeyOurs = true;
    plan.input[fieldFor('idempotencyKey')] = ports.newKey();
  }
  const field = waitField[operation.name];
  const askedMs = field === undefined ? undefined : read.data[field];
  if (field !== undefined && typeof askedMs === 'number') plan.wait = { field: fieldFor(field), askedMs };
  const lease = leaseFor(ports.agent, { operation, spelled, input: read.data });
  if (lease !== undefined) {
    plan.lease = lease;
    if (Object.hasOwn(operation.input.shape, 'ack')) plan.input['ack'] = 'manual';
  }
  return plan;
}

interface ParsedCall {
  operation: Operation;
  spelled: SpelledInput;
  input: Record<string, unknown>;
}

/**
 * The bridge settles what the agent takes from its own inbox. The agent settles what it takes with `ack: "manual"`.
 * Peeking, and reading another agent's inbox, need no settlement by the bridge.
 */
function leaseFor(
  agent: string | undefined,
  { operation, spelled, input }: ParsedCall,
): { reader?: string } | undefined {
  const { ack, markAsRead, include, sessionId } = input;
  if (!leasing.has(operation.name) || ack === 'manual' || markAsRead === false || include === 'recent') {
    return undefined;
  }
  const self = agent ?? spelled.claimedCaller?.id;
  const reader = typeof sessionId === 'string' ? sessionId : self;
  if (reader === undefined || (self !== undefined && reader !== self)) return undefined;
  return agent === undefined ? { reader } : {};
}

function respell(operation: Operation, given: Record<string, unknown>): SpelledInput | undefined {
  try {
    return respellInput(operation, given);
  } catch {
    return undefined;
  }
}
