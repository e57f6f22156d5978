// Removes changed facts from the writer's memory.
import type { ChangedFacts } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';

export function factsChange(tx: Tx, sessionId: string, changed: ChangedFacts): void {
  const session = tx.memory.session(sessionId);
  // Groups are not cached.
  if (session === undefined || changed === 'groups') return;
  if (changed === 'notify') session.notify = undefined;
  else if (changed === 'threads') session.forgetThreads();
  else if ('agentId' in changed) session.forgetAgent(changed.agentId);
  else session.forgetThread(changed.threadId);
}
