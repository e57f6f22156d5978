// Pure: what a tool call means for the bridge before it goes to the hub. A call the contract would refuse is passed on
// as it is, since the hub refuses it in the caller's own words.
import { HubError } from '../contract/errors.js';
import { nearest } from '../contract/nearest.js';
import type { Operation } from '../contract/operation.js';
import { operationCalled, operationList } from '../contract/operations/index.js';
import { respellInput, type SpelledInput } from '../contract/spelling.js';

export interface CallPlan {
  operation: Operation;
  /** As it goes to the hub. */
  input: Record<string, unknown>;
  /** As the contract reads it; undefined when it would refuse it. */
  parsed: Record<string, unknown> | undefined;
  mayRepeat: boolean;
  /** True when the idempotency key is ours, so that a duplicate is only our own repetition. */
  isKeyOurs: boolean;
  /** Set when the bridge takes the messages with a lease of its own and settles it. */
  lease?: { reader?: string };
  /** Set for a wait: the field to write its time into, and the time that was asked for. */
  wait?: { field: string; askedMs: number };
}

/** Changes nothing that doing it again would change further. */
const repeatable = new Set([
  'wait_for_mentions',
  'wait_for_responses',
  'get_messages',
  'ack_messages',
  'register_agent',
]);
const handsOut = new Set(['wait_for_mentions', 'wait_for_responses', 'create_critical_thread', 'get_messages']);
const waits = new Set(['wait_for_mentions', 'wait_for_responses', 'wait_for_agents', 'create_critical_thread']);

export interface PlanPorts {
  /** The name the connection carries. */
  agent: string | undefined;
  newKey: () => string;
}

export function planCall(ports: PlanPorts, name: string, given: Record<string, unknown>): CallPlan {
  const operation = operationCalled(name) ?? operationCalled(name.replaceAll('-', '_'));
  if (operation === undefined) throw toolUnknown(name);
  const isKeyed = Object.hasOwn(operation.input.shape, 'idempotencyKey');
  const mayRepeat = isKeyed || operation.effect === 'reads' || repeatable.has(operation.name);
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
  const { timeoutMs } = read.data;
  if (waits.has(operation.name) && typeof timeoutMs === 'number') {
    plan.wait = { field: fieldFor('timeoutMs'), askedMs: timeoutMs };
  }
  const lease = leaseFor(ports, operation, spelled, read.data);
  if (lease !== undefined) {
    plan.lease = lease;
    if (Object.hasOwn(operation.input.shape, 'ack')) plan.input['ack'] = 'manual';
  }
  return plan;
}

/**
 * The bridge settles what the agent takes from its own inbox. What it takes by hand (`ack: "manual"`), only looks at,
 * or takes from the inbox of another is between it and the hub.
 */
function leaseFor(
  { agent }: PlanPorts,
  operation: Operation,
  spelled: SpelledInput,
  input: Record<string, unknown>,
): { reader?: string } | undefined {
  const { ack, markAsRead, include, sessionId } = input;
  if (!handsOut.has(operation.name) || ack === 'manual' || markAsRead === false || include === 'recent') {
    return undefined;
  }
  const reader = typeof sessionId === 'string' ? sessionId : (spelled.claimedCaller?.id ?? agent);
  if (reader === undefined) return undefined;
  if (agent === undefined) return { reader };
  return reader === agent ? {} : undefined;
}

function respell(operation: Operation, given: Record<string, unknown>): SpelledInput | undefined {
  try {
    return respellInput(operation, given);
  } catch {
    return undefined;
  }
}

function toolUnknown(name: string): HubError {
  const known = operationList.map((operation) => operation.name);
  const [near] = nearest(name, known);
  const listed = 'Start the bridge with --tools all to see every tool.';
  return new HubError('OPERATION_UNKNOWN', `There is no operation '${name.slice(0, 64)}'.`, {
    hint: near === undefined ? listed : `Did you mean ${near}? ${listed}`,
    details: { nearest: near ?? null },
  });
}
