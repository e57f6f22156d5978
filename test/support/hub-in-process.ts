// A hub inside the test, for tests that must force an order of events or move the clock.
import { startHub, type Hub } from '../../dist/compose.js';
import { loadConfig } from '../../dist/config.js';
import type { Clock } from '../../dist/ports/clock.js';
import type { Store } from '../../dist/ports/store.js';
import { removeFolder, tempFolder } from './hub-process.js';

export interface HubInProcess {
  url: string;
  stop(): Promise<void>;
}

const silent = { info() {}, warn() {}, error() {} };

export async function startHubInProcess(
  options: { args?: string[]; clock?: Clock; wrapStore?: (store: Store) => Store } = {},
): Promise<HubInProcess> {
  const data = tempFolder();
  const config = loadConfig(['--port', '0', '--data', data, ...(options.args ?? [])], {});
  const hub: Hub = await startHub({
    config,
    log: silent,
    onBroken: (message) => {
      throw new Error(message);
    },
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.wrapStore === undefined ? {} : { wrapStore: options.wrapStore }),
  });
  return {
    url: hub.url,
    async stop() {
      await hub.stop();
      removeFolder(data);
    },
  };
}
