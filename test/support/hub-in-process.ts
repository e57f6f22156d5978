// A hub inside the test, for tests that must force an order of events or move the clock.
import { startHub } from '../../dist/compose.js';
import { loadConfig } from '../../dist/config.js';
import type { Clock } from '../../dist/ports/clock.js';
import type { LogFields } from '../../dist/ports/log.js';
import type { Store } from '../../dist/ports/store.js';
import { cleanUpAfter } from './clean-up.js';
import { flagsOf, gather } from './hub-team.js';
import { tempFolder } from './temp-folder.js';
import { databaseEnv, databaseOf } from './test-database.js';
import { hubsAtOnce } from './world.js';

export interface HubInProcess {
  url: string;
  data: string;
  /** What tells a command which hub is meant. */
  flags: string[];
  /** The events of its log, in order. */
  logged: readonly string[];
  /** With what else their lines have. */
  lines: readonly (LogFields & { event: string })[];
  /** Of the first hub: for what a test must store beside the hub's doors. */
  store: Store;
  stop(): Promise<void>;
}

export interface HubInProcessOptions {
  data?: string;
  args?: string[];
  /** All hubs of a team go by it. */
  clock?: Clock;
  wrapStore?: (store: Store) => Store;
  /** Stands for a start of the machine. */
  boot?: number;
}

/** Stopped after the test, or after the file when no test runs. */
export async function startHubInProcess({
  data = tempFolder(),
  args = [],
  wrapStore = (store) => store,
  ...options
}: HubInProcessOptions = {}): Promise<HubInProcess> {
  const config = loadConfig(['--port', '0', '--data', data, ...args], databaseEnv(await databaseOf(data)));
  const logged: string[] = [];
  const lines: (LogFields & { event: string })[] = [];
  const note = (event: string, fields: LogFields = {}) => {
    logged.push(event);
    lines.push({ ...fields, event });
  };
  const stores: Store[] = [];
  const start = () =>
    startHub({
      config,
      log: { info: note, warn: note, error: note },
      onBroken: (message) => {
        throw new Error(message);
      },
      wrapStore(store) {
        const wrapped = wrapStore(store);
        stores.push(wrapped);
        return wrapped;
      },
      ...options,
    });
  const hubs = await Promise.all(Array.from({ length: hubsAtOnce }, start));
  const [store] = stores;
  if (store === undefined) throw new Error('a world has a hub');
  const team = await gather(hubs.map(({ url }) => url));
  let stopped: Promise<void> | undefined;
  const stopAll = async (isHurried: boolean) => {
    await Promise.all(hubs.map((hub) => hub.stop({ isHurried })));
    await team.stop();
  };
  // Nobody reads the last answers: there is no need to wait until they have arrived.
  cleanUpAfter(() => (stopped ??= stopAll(true)));
  return {
    url: team.url,
    data,
    flags: flagsOf(data, team.url),
    logged,
    lines,
    store,
    stop: () => (stopped ??= stopAll(false)),
  };
}
