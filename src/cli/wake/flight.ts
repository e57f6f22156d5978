// One command of an agent at a time, across processes: a lock while a companion runs one, and a note of the command, which may
// outlive a companion that was killed.
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makeDataFolder, replaceFile } from '../../store/sqlite/writer/data-folder.js';
import type { Database } from '../../store/sqlite/writer/driver.js';
import { takeFileLock } from '../../store/sqlite/writer/file-lock.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { columnsOf, isAlive } from './process-table.js';
import { agentFile } from './wake-folder.js';

const flightNote = z.object({
  pid: z.number().int().min(2),
  /** When the process began, as the system tells it: its pid may be another's later. */
  began: z.string(),
  /** Milliseconds; then it is ended. */
  endsBy: z.number(),
});

export type FlightNote = z.output<typeof flightNote>;

export interface Flight {
  /** A command that an earlier companion left running. */
  left(): FlightNote | undefined;
  note(pid: number, endsBy: number): void;
  /** After the command has ended. */
  land(): void;
}

/** Undefined while another companion runs a command of this agent. */
export function takeFlight(choice: HubChoice): Flight | undefined {
  const file = agentFile(choice, 'flight.json');
  makeDataFolder(dirname(file));
  const lock: Database | undefined = takeFileLock(agentFile(choice, 'flight.lock'));
  if (lock === undefined) return undefined;
  return {
    left() {
      const note = readNote(file);
      return note !== undefined && isAlive(note.pid) && note.began === beganAt(note.pid) ? note : undefined;
    },
    note: (pid, endsBy) => replaceFile(file, `${JSON.stringify({ pid, began: beganAt(pid), endsBy })}\n`),
    land() {
      rmSync(file, { force: true });
      lock.close();
    },
  };
}

function readNote(file: string): FlightNote | undefined {
  try {
    return flightNote.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Without `ps` the pid alone has to do. */
function beganAt(pid: number): string {
  return columnsOf(pid, 'lstart=') ?? '';
}
