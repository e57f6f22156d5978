// The last call of an import: its staged lines become a session, in steps between which others are served. If the hub dies
// meanwhile, nothing of it is ever seen, and prune-imports.ts clears it.
import { auditEntry } from '../../access/audit-entry.js';
import { errorKinds, HubError } from '../../contract/errors.js';
import { schemaOf, type Line } from '../../contract/transfer/lines.js';
import type { Caller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store.js';
import type { ImportProgress, ImportRun, ReviewPlace } from '../../ports/transfer.js';
import { sessionOfKey } from '../decide-administration.js';
import { requireMayClose } from '../decide-closing.js';
import { beingImported, importInvalid, importUnknown } from './decide-import.js';
import { toTheEnd } from './prune-imports.js';

export interface FinishPorts {
  store: Pick<
    Store,
    'beginImport' | 'importPart' | 'insertImported' | 'reviewImported' | 'completeImport' | 'clearImport'
  >;
  clock: Clock;
}

interface Finishing {
  importId: string;
  target: string;
  progress: ImportProgress;
}

export async function finishImport(
  { store, clock }: FinishPorts,
  caller: Caller,
  { importId, target, progress }: Finishing,
): Promise<void> {
  const { sessionId: from, owner } = caller;
  const createdBySession = sessionOfKey(caller);
  const run = (): ImportRun => ({ sessionId: target, importId, at: clock.now() });
  const { parts, isLeft } = await store.beginImport({ ...run(), from, createdBySession });
  try {
    if (isLeft) await toTheEnd(() => store.clearImport({ ...run(), keepsName: true }));
    let session: Line<'session'> | undefined;
    for (let part = 1; part <= parts; part += 1) {
      const text = await store.importPart({ sessionId: from, importId, part });
      // Its time was over.
      if (text === null) throw importUnknown();
      for (const lines of inSteps(text)) {
        session ??= sessionIn(lines, target);
        await store.insertImported({ ...run(), lines, owner, salt: session?.salt ?? 0 });
      }
    }
    if (session === undefined) throw importInvalid('the session’s own line is missing');
    let place: ReviewPlace | null = { pass: 0, after: null };
    while (place !== null) place = await store.reviewImported({ ...run(), place });
    const { chain, sessionId: exported } = progress;
    const details = { exported, lines: chain.lines, messages: chain.counts['message'] ?? 0 };
    const audit = auditEntry(caller, clock.now(), 'import_session', target, details);
    await store.completeImport({ ...run(), session, createdBySession, audit });
  } catch (error) {
    // What can be corrected by a retry is cleared by that, or later.
    const isFinal = error instanceof HubError && errorKinds[error.code].retry !== 'later';
    if (isFinal) await toTheEnd(() => store.clearImport({ ...run(), keepsName: false }));
    throw error;
  }
}

/** What one transaction inserts, so that nobody waits for long; one line may be larger. */
const linesPerStep = 400;
const charsPerStep = 128 * 1024;

function* inSteps(text: string): Generator<string[]> {
  let lines: string[] = [];
  let chars = 0;
  for (let from = 0; from <= text.length;) {
    const found = text.indexOf('\n', from);
    const end = found < 0 ? text.length : found;
    const length = end - from;
    if (lines.length > 0 && (lines.length >= linesPerStep || chars + length > charsPerStep)) {
      yield lines;
      [lines, chars] = [[], 0];
    }
    lines.push(text.slice(from, end));
    chars += length;
    from = end + 1;
  }
  yield lines;
}

/** It is the second line of the file, so that it comes before anything that needs its salt. */
function sessionIn(lines: readonly string[], target: string): Line<'session'> | undefined {
  const schema = schemaOf('session');
  const first = lines.slice(0, 2).map((line) => schema?.safeParse(JSON.parse(line)).data);
  const found = first.find((line) => line?.kind === 'session');
  if (found?.closedAt !== undefined || found?.expiresAt !== undefined) requireMayClose(target);
  return found;
}

/** For callers that the store would not refuse. */
export async function requireThere(
  { store }: { store: Pick<Store, 'isBeingImported'> },
  sessionId: string,
): Promise<void> {
  if (await store.isBeingImported({ sessionId })) throw beingImported(sessionId);
}
