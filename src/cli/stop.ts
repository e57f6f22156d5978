// coterie stop: stops the hub of a data folder and waits until it has ended.
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadPlace } from '../config.js';
import { HubError } from '../contract/errors.js';
import { isLocked } from '../store/sqlite/writer/data-folder.js';
import { configFlag, dataFlag } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import { runningHub } from './hub/running-hub.js';

const waitMsMax = 12_000;
const pollMs = 50;

const byFolder =
  'A hub is stopped by its data folder (--data DIR); one elsewhere is stopped where it runs, with SIGTERM.';
const elsewhere = { url: byFolder, port: byFolder, host: byFolder, database: byFolder };

export async function runStop(argv: readonly string[]): Promise<void> {
  const { own } = readArgs(argv, { command: 'stop', flags: [dataFlag, configFlag], elsewhere });
  const flags = [...own].map(([name, value]) => `--${name}=${value}`);
  const place = loadPlace(flags, process.env);
  if (place.database !== null) throw noFolder();
  const data = resolve(place.data);
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
    await sleep(pollMs);
  }
  process.stdout.write(`stopped the hub of ${data}\n`);
}

function noFolder(): HubError {
  return new HubError('USAGE', 'coterie stop finds a hub by its data folder; a hub with --database has none.', {
    hint: 'Stop its process with SIGTERM or Ctrl-C. To stop the hub of a folder, unset --database (COTERIE_DATABASE_URL).',
  });
}
