// list_audit: the audit log of a session, for its admins.
import { answerFrameTokens, countThatFit, entryTokens } from '../contract/budget/message-tokens.js';
import type { ModelReader } from '../contract/budget/model-reader.js';
import { decodeCursor, encodeCursor } from '../contract/cursor.js';
import { HubError } from '../contract/errors.js';
import type { AuditView, listAudit as contract } from '../contract/operations/list-audit.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { Caller } from '../ports/caller.js';
import type { AuditRecord, Store } from '../ports/store.js';
import { readAudit } from './audit-pages.js';

export interface ListAuditPorts {
  store: Pick<Store, 'listAudit'>;
}

export async function listAudit(
  { store }: ListAuditPorts,
  { sessionId }: Caller,
  { input, model }: { input: InputOf<typeof contract>; model: ModelReader | undefined },
): Promise<OutputOf<typeof contract>> {
  const found = await readAudit(store, {
    sessionId,
    actor: input.actor ?? null,
    act: input.act ?? null,
    since: input.since ?? null,
    until: input.until ?? null,
    limit: input.limit,
    before: input.cursor === undefined ? null : lastIdOf(input.cursor),
  });
  const all = found.entries.map(viewEntry);
  const entries =
    model === undefined ? all : all.slice(0, countThatFit(all, model.tokensMax - answerFrameTokens, entryTokens));
  const next = entries.length < all.length ? (entries.at(-1)?.id ?? null) : found.next;
  const cursor = next === null ? null : encodeCursor({ kind: 'position', after: [next] });
  return { entries, hasMore: next !== null, cursor };
}

function viewEntry({ id, at, actor, act, target, keyId, address, details }: AuditRecord): AuditView {
  return {
    id,
    at: new Date(at).toISOString(),
    actor,
    act,
    ...(target === '' ? {} : { target }),
    ...(keyId === null ? {} : { keyId }),
    ...(address === '' ? {} : { address }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}

/** The id of the last entry on the previous page. */
function lastIdOf(text: string): number {
  const cursor = decodeCursor(text);
  const [id, ...rest] = cursor?.kind === 'position' ? cursor.after : [];
  if (typeof id === 'number' && Number.isSafeInteger(id) && rest.length === 0) return id;
  throw new HubError('INVALID_INPUT', 'cursor: is not a position in this list.', {
    hint: 'Use the cursor of an earlier answer, or leave it out.',
    details: { field: 'cursor' },
  });
}
