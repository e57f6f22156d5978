// `escalate: "person"` of send_message: people are asked on the sender's behalf if the recipient is not woken.
import { HubError } from '../contract/errors.js';
import { isCapable } from '../contract/operation.js';
import { limits } from '../contract/limits.js';
import { operations } from '../contract/operations/index.js';
import type { NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { HubSecret } from '../ports/hub-secret.js';
import type { Log } from '../ports/log.js';
import type { Store } from '../ports/store.js';
import type { DueEscalation } from '../ports/wake.js';
import { askQuestion } from '../signal/ask.js';
import type { SignalPorts } from '../signal/ports.js';
import type { KnownWakes } from './known-wakes.js';

/** Before anything is stored: whoever escalates must be able to ask, and there must be someone to ask. */
export async function requireMayEscalate(
  { store }: { store: Pick<Store, 'signalRecipients'> },
  caller: NamedCaller,
): Promise<void> {
  if (!isCapable(caller.capabilities, 'signal')) {
    throw new HubError('FORBIDDEN', 'This key may not ask people, so it may not escalate to them.', {
      hint: 'Leave escalate out, or use a key with the capability signal.',
      details: { capability: 'signal' },
    });
  }
  await store.signalRecipients({ sessionId: caller.sessionId, to: null });
}

/** Before the send is answered; returns warnings. A repetition of the send writes what is missing. */
export async function noteEscalation(
  { store, clock }: { store: Pick<Store, 'addEscalations'>; clock: Clock },
  { sessionId, agentId: sender }: NamedCaller,
  { seq, recipients }: { seq: number; recipients: readonly string[] },
): Promise<string[]> {
  if (recipients.length === 0) return [];
  const escalation = { sessionId, sender, seq, recipients, now: clock.now(), afterMs: limits.escalateAfterMs };
  const { leftOut } = await store.addEscalations(escalation);
  return leftOut === 0 ? [] : [`not escalated for ${leftOut} recipients: ${limits.escalations} at a time are allowed`];
}

export interface EscalatePorts extends SignalPorts {
  hubSecret: Pick<HubSecret, 'requireOurs'>;
  knownWakes: KnownWakes;
  log: Log;
}

/** The key makes it one question, even if two hubs ask. */
export async function askForEscalation(ports: EscalatePorts, due: DueEscalation): Promise<void> {
  const { sessionId, agentId, seq, sender, messageId, createdAt } = due;
  const end = () => ports.store.endEscalation({ sessionId, agentId, seq });
  const calledMsAgo = ports.knownWakes.calledMsAgo({ sessionId, agentId });
  // It has seen the number of its unread messages.
  if (calledMsAgo !== null && ports.clock.now() - calledMsAgo > createdAt) return end();
  await ports.hubSecret.requireOurs();
  const input = operations.askQuestion.input.parse({
    question: `${agentId} was not woken and has not read a message of ${sender} (${messageId}). What shall ${sender} do?`,
    options: [`I will wake ${agentId}`, 'Go on without an answer'],
    priority: 'high',
    idempotencyKey: `escalate-${seq}-${agentId}`,
  });
  try {
    await askQuestion(ports, { sessionId, agentId: sender }, input);
    await end();
  } catch (error) {
    // Tried again later only where that can help.
    if (!(error instanceof HubError) || error.code === 'LIMIT_REACHED' || error.code.startsWith('STORE_')) throw error;
    ports.log.warn('escalation refused', { sessionId, code: error.code });
    await end();
  }
}
