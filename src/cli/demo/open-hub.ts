// The demo's hub: the running hub of the data folder, if it has no keys, or a temporary one. --web has always its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubChoice } from '../arguments/hub-flags.js';
import { needsKey } from '../hub/hub-at.js';
import { runningHub } from '../hub/running-hub.js';
import { whichHub } from '../hub/which-hub.js';

export interface DemoHub {
  readonly url: string;
  readonly isTemporary: boolean;
  end(): Promise<void>;
}

/** With a broken store the demo's own calls fail, which is reported. */
const ignore = () => {};
const silent = { info() {}, warn() {}, error() {} };

export async function openDemoHub(choice: HubChoice): Promise<DemoHub> {
  const running = choice.url ?? (await openUrl(choice));
  if (running !== undefined) return { url: running, isTemporary: false, end: () => Promise.resolve() };
  return temporaryHub();
}

/** Without a trace when it has ended. */
export async function temporaryHub(): Promise<DemoHub> {
  // Loaded only here: no other command needs the hub itself.
  const [{ startHub }, { loadConfig }] = await Promise.all([import('../../compose.js'), import('../../config.js')]);
  const folder = mkdtempSync(join(tmpdir(), 'coterie-demo-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  try {
    const config = loadConfig(['--host', '127.0.0.1', '--port', '0', '--data', folder], {});
    const hub = await startHub({ config, log: silent, onBroken: ignore });
    return { url: hub.url, isTemporary: true, end: () => hub.stop().finally(removeFolder) };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

/** Undefined also for a hub with keys: nobody has those of the demo's agents. */
async function openUrl(choice: HubChoice): Promise<string | undefined> {
  const place = whichHub(choice);
  const url = place.kind === 'folder' ? runningHub(place.folder)?.url : undefined;
  return url === undefined || (await needsKey(url)) ? undefined : url;
}
