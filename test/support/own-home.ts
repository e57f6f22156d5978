// A home for the whole run: a test that names no data folder would use the hub of the person who runs the tests.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variables that decide where a user's own hub is, on every platform. */
export function homeIn(folder: string): Record<string, string> {
  const paths = {
    HOME: folder,
    USERPROFILE: folder,
    XDG_DATA_HOME: join(folder, 'share'),
    LOCALAPPDATA: join(folder, 'share'),
  };
  mkdirSync(paths.XDG_DATA_HOME, { recursive: true });
  return paths;
}

/** Removed when this process ends. */
export function temporaryHome(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'coterie-home-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // npm's settings stay those of the person: they may say how to reach a registry.
  return { ...homeIn(folder), npm_config_userconfig: join(homedir(), '.npmrc') };
}
