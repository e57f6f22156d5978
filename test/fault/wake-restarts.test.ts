// Hub and companion are killed again and again while mail arrives: it is all read in the end, and the command does not run more often
// than there was reason to.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ownState, promptWakes } from '../support/woken-agent.js';
import { eventually } from '../support/eventually.js';
import { headlessScene } from '../support/headless-scene.js';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';

const cycles = 6;

it('mail of an agent that is woken is read, whatever is killed', { timeout: 300_000, tags: ['long'] }, async () => {
  const data = tempFolder();
  const args = ['--config', promptWakes()];
  let hub = await startHubProcess({ data, args });
  const flags = ['--data', data];
  const ben = await headlessScene({ url: () => hub.url, flags, hub: data, env: ownState() });
  let companion = ben.start('read', ['--confirm', '2s']);
  await ben.hasRoute();
  const sent: string[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    sent.push(await ben.send());
    // How long they live is the fault, not a wait for luck.
    await sleep(Math.random() * 600);
    if (cycle % 3 !== 2) {
      await hub.kill();
      hub = await startHubProcess({ data, args });
    }
    if (cycle % 3 !== 0) {
      await companion.end('SIGKILL');
      companion = ben.start('read', ['--confirm', '2s']);
    }
    sent.push(await ben.send());
  }
  const isUnread = (id: string) => ben.count(`read ${id}`) === 0;
  await eventually('all mail read', () => !sent.some(isUnread), 120_000);
  expect(ben.count('start')).toBeLessThanOrEqual(sent.length + 2 * cycles);
});
