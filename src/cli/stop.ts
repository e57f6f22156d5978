// coterie stop: stops the hub of a data folder and waits until it has ended.
import { loadPlace } from '../config.js';
import { HubError } from '../contract/errors.js';
import { isLocked } from '../store/sqlite/writer/data-folder.js';
import { runningHub } from './hub/running-hub.js';

const waitMsMax = 12_000;
const pollMs = 50;

export async function runStop(argv: readonly string[]): Promise<void> {
  const { data, database } = loadPlace(argv, process.env);
  if (database !== null) throw noFolder();
  const note = runningHub(data);
  if (note === undefined) {
    process.stdout.write(`no hub runs for ${data}\n`);
    return;
  }
  process.kill(note.pid, 'SIGTERM');
  const deadline = Date.now() + waitMsMax;
  while (isLocked(data)) {
    if (Date.now() > deadline) {
      throw new HubError('DATA_IN_USE', `The hub with pid ${note.pid} did not stop within ${waitMsMax / 1000} s.`, {
        hint: `Kill it: kill ${note.pid}`,
        details: { ...note },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  process.stdout.write(`stopped the hub of ${data}\n`);
}

function noFolder(): HubError {
  return new HubError('USAGE', 'coterie stop finds a hub by its data folder; a hub with --database has none.', {
    hint: 'Stop its process with SIGTERM or Ctrl-C. To stop the hub of a folder, unset --database (COTERIE_DATABASE_URL).',
  });
}
