// How an import is refused. Pure: the store calls it in its transaction.
import { HubError } from '../../contract/errors.js';

/** `line`: counted from one; null for what concerns the whole file. */
export function importInvalid(problem: string, line: number | null = null): HubError {
  const where = line === null ? 'The import cannot be used' : `Line ${line} of the import cannot be used`;
  return new HubError('IMPORT_INVALID', `${where}: ${problem}.`, {
    hint: 'Nothing was imported. Export the session again with export_session and import the complete file.',
    details: line === null ? {} : { line },
  });
}

export function newerRelease(version: number, release: string): HubError {
  return new HubError('IMPORT_INVALID', `The export was made by a newer release: Coterie ${release.slice(0, 40)}.`, {
    hint: `Nothing was imported. Install Coterie ${release.slice(0, 40)} or later on this hub, then import again.`,
    details: { line: 1, version },
  });
}

/** Also for the import of another session, and for a part that is not the next. */
export function importUnknown(): HubError {
  return new HubError('IMPORT_INVALID', 'importId and part do not continue an import that has begun.', {
    hint: 'Start again: import_session without importId, with the first lines of the file.',
  });
}

/** Of an import that has made no step for so long, its hub has died or was stopped: another may take its name. */
export const importGivenUpMs = 15_000;

export function beingImported(sessionId: string): HubError {
  return new HubError('BUSY', `The session '${sessionId}' is being imported.`, {
    hint: 'Call again in a second. It can be used as soon as all of it is there.',
    details: { sessionId, retryAfterMs: 1_000 },
  });
}

export function sessionTaken(id: string): HubError {
  return new HubError('SESSION_TAKEN', `There is a session '${id}' already.`, {
    hint: 'Import under another name: give sessionId, or --session on the command line.',
    details: { sessionId: id },
  });
}
