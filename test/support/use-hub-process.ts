import { startHubProcess, type HubProcess, type HubProcessOptions } from './hub-process.js';
import { startedBefore } from './use-hub.js';

/** As `useHub`, in a process of its own: for tests that kill the hub or read what it prints. */
export function useHubProcess(options?: HubProcessOptions): HubProcess {
  return startedBefore(() => startHubProcess(options));
}
