// A user of this machine: a home, and empty project folders in it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { userFolder } from '../../dist/config/which-folder.js';
import { cleanUpAfter } from './clean-up.js';
import { endHubIn } from './end-hub-in.js';
import { homeIn } from './own-home.js';
import { tempFolder } from './temp-folder.js';

export interface User {
  /** Variables that make this user's home the one in use. */
  env: Record<string, string>;
  /** The data folder of the user's own hub. */
  own: string;
  /** Makes a project folder. */
  project: (name: string) => string;
}

export function newUser(): User {
  const home = tempFolder();
  const env = homeIn(home);
  const own = userFolder(env);
  cleanUpAfter(() => endHubIn(own));
  return {
    env,
    own,
    project(name) {
      const folder = join(home, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
  };
}
