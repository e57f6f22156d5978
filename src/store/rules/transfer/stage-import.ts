// Stages the lines of an import. They are checked before.
import { HubError } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import { importUnknown, sessionTaken } from '../../../session/transfer/decide-import.js';
import type { StagedImport, StagePlan } from '../../../ports/transfer.js';
import { countImports, findImport, findSessionRow, insertPart } from '../../sql/transfer.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

export function* stageImport(tx: Statements, plan: StagePlan): Steps<StagedImport> {
  const { sessionId, part, target, progress, lines } = plan;
  const before = yield* findImport(tx, plan);
  if (part !== (before?.parts ?? 0) + 1) throw importUnknown();
  if (before === null) {
    if ((yield* findSessionRow(tx, target)) !== undefined) throw sessionTaken(target);
    yield* requireRoomForImport(tx, sessionId);
  }
  const bytes = (before?.bytes ?? 0) + lines.length;
  if (bytes > limits.importBytes) throw tooLarge();
  if (!(yield* insertPart(tx, { ...plan, bytes }))) throw importUnknown();
  return { parts: part, bytes, target, progress };
}

function* requireRoomForImport(tx: Statements, sessionId: string): Steps<void> {
  if ((yield* countImports(tx, sessionId)) < limits.imports) return;
  throw new HubError('LIMIT_REACHED', `${limits.imports} imports have begun and are not complete, the most allowed.`, {
    hint: 'Complete one of them. Those that were given up are deleted after an hour.',
    details: { limit: limits.imports },
  });
}

function tooLarge(): HubError {
  return new HubError('TOO_LARGE', `The import is larger than ${limits.importBytes} bytes, the most allowed.`, {
    hint: 'Raise `limits.importBytes` in the hub’s config file.',
    details: { limit: limits.importBytes },
  });
}
