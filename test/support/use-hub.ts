// One hub for all tests of a file or of a describe block: started before them, removed after them.
import { beforeAll } from 'vitest';
import { startHubInProcess, type HubInProcess, type HubInProcessOptions } from './hub-in-process.js';

/** In the test's own process, which is enough wherever the test does not kill the hub or read what it prints. */
export function useHub(options?: HubInProcessOptions): HubInProcess {
  return startedBefore(() => startHubInProcess(options));
}

/** Its fields can be read from the first test on. */
export function startedBefore<Hub extends object>(start: () => Promise<Hub>): Hub {
  let hub: Hub | undefined;
  beforeAll(async () => {
    hub = await start();
  });
  return new Proxy({} as Hub, {
    get(_, name) {
      if (hub === undefined) throw new Error(`the hub has no ${String(name)} before the first test`);
      return Reflect.get(hub, name);
    },
  });
}
