// What people do on the hub's page is in the audit log, all of it. Administrative acts store their entry in their own
// transaction; the others are recorded here, once they have succeeded.
import { operations } from '../contract/operations/index.js';
import type { Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Store } from '../ports/store.js';
import { auditEntry } from './audit-entry.js';

export interface PageAuditPorts {
  store: Pick<Store, 'appendAudit'>;
  clock: Clock;
  log: Log;
}

/** With the field of the answer, or of the input, that says what it was done to. */
const acts: ReadonlyMap<string, string> = new Map([
  [operations.sendMessage.name, 'messageId'],
  [operations.createThread.name, 'threadId'],
  [operations.createCriticalThread.name, 'threadId'],
  [operations.askQuestion.name, 'questionId'],
  [operations.answerQuestion.name, 'questionId'],
  [operations.declineQuestion.name, 'questionId'],
  [operations.sendAlert.name, 'alertId'],
  [operations.setPersonPrefs.name, ''],
  [operations.setChannel.name, 'channelId'],
  [operations.removeChannel.name, 'channelId'],
  [operations.startPairing.name, 'pairingId'],
  [operations.setWakeRoute.name, 'routeId'],
  [operations.removeWakeRoute.name, 'routeId'],
  [operations.testWake.name, 'target'],
]);

export const actsOnPage: readonly string[] = [...acts.keys()];

type Fields = Readonly<Record<string, unknown>>;

/** The act is stored, with who did it and when: it is not taken back if the entry cannot be. */
export async function auditOnPage(
  { store, clock, log }: PageAuditPorts,
  caller: Caller,
  { operation, input, output }: { operation: string; input: Fields; output: Fields },
): Promise<void> {
  const field = caller.isPage === true ? acts.get(operation) : undefined;
  if (field === undefined) return;
  const target = output[field] ?? input[field];
  try {
    await store.appendAudit(auditEntry(caller, clock.now(), operation, typeof target === 'string' ? target : ''));
  } catch (error) {
    log.error('an act is not in the audit log', { operation, error: String(error) });
  }
}
