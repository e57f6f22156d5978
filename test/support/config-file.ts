import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.js';

/** Its path, for a hub's `--config`. */
export function configFile(config: object): string {
  const path = join(tempFolder(), 'config.json');
  writeFileSync(path, JSON.stringify(config));
  return path;
}
