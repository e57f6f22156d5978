import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpAfter, type Lifetime } from './clean-up.js';

/** Removed after the test, or after the file when no test runs. */
export function tempFolder({ isKept = false, ...lifetime }: Lifetime & { isKept?: boolean } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'coterie-test-'));
  if (!isKept) cleanUpAfter(() => rmSync(folder, { recursive: true, force: true }), lifetime);
  return folder;
}
