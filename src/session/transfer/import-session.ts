// import_session: takes an export in parts, checks each when it arrives, and makes a session of them with the last.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorKinds, HubError } from '../../contract/errors.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { operations } from '../../contract/operations/index.js';
import type { Caller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { Ids } from '../../ports/ids.js';
import type { Store } from '../../ports/store.js';
import type { ImportProgress, StagedImport } from '../../ports/transfer.js';
import { importInvalid, importUnknown } from './decide-import.js';
import { finishImport, type FinishPorts } from './finish-import.js';
import { LineReader } from './line-reader.js';
import { toTheEnd } from './prune-imports.js';

export interface ImportPorts {
  store: FinishPorts['store'] & Pick<Store, 'findImport' | 'stageImport' | 'deleteImport'>;
  clock: Clock;
  ids: Ids;
}

type Input = InputOf<typeof operations.importSession>;
type Output = OutputOf<typeof operations.importSession>;

export async function importSession(ports: ImportPorts, caller: Caller, input: Input): Promise<Output> {
  const { store, ids } = ports;
  const staged = await findStaged(ports, caller, input);
  const importId = input.importId ?? ids.importId();
  try {
    const reader = new LineReader(staged?.progress ?? null);
    await readLines(reader, input.lines);
    if (input.done) reader.requireEnd();
    const target = targetOf(staged, reader.progress, input);
    await stage(ports, caller, { importId, target, reader, input });
    if (input.done) await finishImport(ports, caller, { importId, target, progress: reader.progress });
    if (input.done) await toTheEnd(() => store.deleteImport({ sessionId: caller.sessionId, importId }));
    const { lines, counts } = reader.progress.chain;
    return {
      importId,
      part: input.part,
      lines,
      done: input.done,
      sessionId: target,
      ...(input.done ? { counts } : {}),
    };
  } catch (error) {
    // What can be corrected by a retry stays.
    const isFinal = error instanceof HubError && errorKinds[error.code].retry !== 'later';
    if (isFinal) await toTheEnd(() => store.deleteImport({ sessionId: caller.sessionId, importId }));
    throw error;
  }
}

async function findStaged(
  { store }: ImportPorts,
  { sessionId }: Caller,
  { importId, part }: Input,
): Promise<StagedImport | null> {
  const staged = importId === undefined ? null : await store.findImport({ sessionId, importId });
  if (importId !== undefined && staged === null) throw importUnknown();
  if (part !== (staged?.parts ?? 0) + 1) throw importUnknown();
  return staged;
}

/** Checking a large part takes a while: others run in between. */
const bytesAtOnce = 256 * 1024;

async function readLines(reader: LineReader, text: string): Promise<void> {
  let read = 0;
  for (const line of linesIn(text)) {
    reader.read(line);
    read += line.length;
    if (read < bytesAtOnce) continue;
    read = 0;
    await nextTurn();
  }
}

/** Without the line break at the end. */
function linesIn(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function targetOf(staged: StagedImport | null, { sessionId: exported }: ImportProgress, { sessionId }: Input): string {
  const target = staged?.target ?? sessionId ?? exported;
  if (target === null) throw importInvalid('it is empty');
  if (sessionId !== undefined && sessionId !== target) throw importUnknown();
  return target;
}

interface Reading {
  importId: string;
  target: string;
  reader: LineReader;
}

async function stage(
  { store, clock }: ImportPorts,
  { sessionId }: Caller,
  { importId, target, reader, input }: Reading & { input: Input },
): Promise<void> {
  if (input.lines === '') return;
  const lines = linesIn(input.lines).join('\n');
  const { progress } = reader;
  await store.stageImport({ sessionId, importId, part: input.part, target, at: clock.now(), progress, lines });
}
