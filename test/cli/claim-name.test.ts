// The files and locks behind the names that `--agent auto` gives.
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { chooseName } from '../../src/bridge/auto-name.js';
import { claimName } from '../../src/cli/hub/claim-name.js';
import { tempFolder } from '../support/temp-folder.js';

const owner = { session: 'default', folder: '/work/shop', client: 'claude' };

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let times = 0; times < 5; times++) {
    collect();
    await sleep(20);
  }
}

it('a name stays taken while its program runs, also after garbage was collected', async () => {
  const place = tempFolder();
  const claim = (name: string) => claimName(place, { ...owner, name });
  const ports = { folder: owner.folder, claim, registered: async () => new Set<string>() };
  expect(await chooseName(ports, 'claude-code')).toBe('shop-claude');
  await collectGarbage();
  expect(await chooseName(ports, 'claude-code')).toBe('shop-claude-2');
});
