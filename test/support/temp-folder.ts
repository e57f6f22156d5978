import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpAfter, type Lifetime } from './clean-up.js';
import { endHubIn } from './end-hub-in.js';

/** Removed after the test, or after the file when no test runs, and with it a hub that still runs in it. */
export function tempFolder({ isKept = false, ...lifetime }: Lifetime & { isKept?: boolean } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'coterie-test-'));
  if (isKept) return folder;
  cleanUpAfter(async () => {
    await endHubIn(folder);
    rmSync(folder, { recursive: true, force: true });
  }, lifetime);
  return folder;
}
