// A bridge starts a hub that outlives it, also in place of a hub that a test has ended.
import { isLocked, readHubNote } from '../../dist/store/sqlite/writer/data-folder.js';
import { eventually } from './eventually.js';
import { isRunning } from './is-running.js';

/** Ends the hub that runs for this data folder in a process of its own, if one does. */
export async function endHubIn(data: string): Promise<void> {
  // Without its lock, the note is that of a hub that was killed.
  const pid = readHubNote(data)?.pid;
  if (pid === undefined || pid === process.pid || !isLocked(data)) return;
  process.kill(pid, 'SIGKILL');
  await eventually('the hub has ended', () => !isRunning(pid));
}
