// redact_message: what a message said is gone; that it was sent stays.
import { auditEntry } from '../access/audit-entry.js';
import type { redactMessage as contract } from '../contract/operations/redact-message.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { viewRedaction } from '../message/inbox/view.js';
import type { Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';

export interface RedactPorts {
  store: Pick<Store, 'redactMessage'>;
  clock: Clock;
}

export async function redactMessage(
  { store, clock }: RedactPorts,
  caller: Caller,
  { messageId, reason: given }: InputOf<typeof contract>,
): Promise<OutputOf<typeof contract>> {
  const reason = given ?? null;
  const at = clock.now();
  const audit = auditEntry(caller, at, 'redact_message', messageId, reason === null ? {} : { reason });
  const by = caller.agentId ?? '';
  const { redaction } = await store.redactMessage({ sessionId: caller.sessionId, messageId, by, reason, at, audit });
  return { success: true, messageId, redacted: viewRedaction(redaction ?? { by, at, reason }) };
}
