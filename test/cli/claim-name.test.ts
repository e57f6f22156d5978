// The files and locks behind the names that `--agent auto` gives.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { chooseName } from '../../src/bridge/auto-name.js';
import { claimName } from '../../src/cli/hub/claim-name.js';
import { tempFolder } from '../support/temp-folder.js';

const owner = { session: 'default', folder: '/home/ann/shop', client: 'claude' };

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

it('a link that came with the folder is replaced, not written through', () => {
  const [place, home] = [tempFolder(), tempFolder()];
  writeFileSync(join(home, '.bashrc'), 'precious');
  mkdirSync(join(place, 'names'));
  symlinkSync(join(home, '.bashrc'), join(place, 'names', 'default~shop-claude.json'));
  expect(claimName(place, { ...owner, name: 'shop-claude' })?.isNew).toBe(true);
  expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('precious');
});

it('names are not kept in another folder that a link leads to', () => {
  const [place, home] = [tempFolder(), tempFolder()];
  symlinkSync(home, join(place, 'names'));
  expect(() => claimName(place, { ...owner, name: 'shop-claude' })).toThrow('is a link');
  expect(readdirSync(home)).toEqual([]);
});
