// Stores the audit entry of a change in its transaction.
import type { AuditEntry } from '../../ports/store.js';
import { appendAudit } from '../sql/audit.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

type Details = AuditEntry['details'];

/** `detailsOf` adds what is known only after the change. */
export function audited<Plan extends { audit: AuditEntry | null }, Result>(
  rule: (tx: Statements, plan: Plan) => Steps<Result>,
  detailsOf: (result: Result) => Details = () => ({}),
): (tx: Statements, plan: Plan) => Steps<Result> {
  return function* (tx, plan) {
    const result = yield* rule(tx, plan);
    const { audit } = plan;
    if (audit !== null) yield* appendAudit(tx, { ...audit, details: { ...audit.details, ...detailsOf(result) } });
    return result;
  };
}
