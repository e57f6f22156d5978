// A hub inside the test, for tests that must force an order of events or move the clock.
import { startHub } from '../../dist/compose.js';
import { loadConfig } from '../../dist/config.js';
import type { Clock } from '../../dist/ports/clock.js';
import type { Store } from '../../dist/ports/store.js';
import { removeFolder, tempFolder } from './hub-process.js';
import { gather } from './hub-team.js';
import { databaseEnv, databaseOf } from './test-database.js';
import { hubsAtOnce } from './world.js';

export interface HubInProcess {
  url: string;
  stop(): Promise<void>;
}

export interface HubInProcessOptions {
  args?: string[];
  /** All hubs of a team go by it. */
  clock?: Clock;
  wrapStore?: (store: Store) => Store;
}

const silent = { info() {}, warn() {}, error() {} };

export async function startHubInProcess({ args = [], ...options }: HubInProcessOptions = {}): Promise<HubInProcess> {
  const data = tempFolder();
  const config = loadConfig(['--port', '0', '--data', data, ...args], databaseEnv(await databaseOf(data)));
  const start = () =>
    startHub({
      config,
      log: silent,
      onBroken: (message) => {
        throw new Error(message);
      },
      ...options,
    });
  const hubs = await Promise.all(Array.from({ length: hubsAtOnce }, start));
  const team = await gather(hubs.map(({ url }) => url));
  return {
    url: team.url,
    async stop() {
      await Promise.all(hubs.map((hub) => hub.stop()));
      await team.stop();
      removeFolder(data);
    },
  };
}
