import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpAfter } from './clean-up.js';

/** Removed after the test, or after the file when no test runs. */
export function tempFolder({ isKept = false } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'coterie-test-'));
  if (!isKept) cleanUpAfter(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
