// Deletes old messages in small steps, in the order of their seqs.
import type { Pruned, PruneStep } from '../../ports/store.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

/** Examined in one step, so that sends can run in between. */
export const prunedPerStep = 100;

export function* pruneMessages(tx: Statements, step: PruneStep): Steps<Pruned> {
  const rows = yield* tx.prunableMessages(step);
  // A clock may have stepped back: messages behind a young one are pruned when that one is old.
  const young = rows.findIndex(({ at }) => at >= step.before);
  const old = young < 0 ? rows : rows.slice(0, young);
  const seqs = old.flatMap(({ seq, isEnded }) => (isEnded ? [seq] : []));
  if (seqs.length > 0) yield* tx.deleteMessages(step.sessionId, seqs);
  const isEnd = young >= 0 || rows.length < prunedPerStep;
  return { count: seqs.length, next: isEnd ? null : (old.at(-1)?.seq ?? null) };
}
