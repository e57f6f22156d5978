// A companion at one hub or several: the agent is woken by whichever it reaches, also after one of them was killed.
import { expect, it } from 'vitest';
import { ownState, promptWakes } from '../support/woken-agent.js';
import { eventually } from '../support/eventually.js';
import { headlessScene } from '../support/headless-scene.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { hubsAtOnce } from '../support/world.js';

const hub = useHubProcess({ args: ['--config', promptWakes()] });

/** A connection may lead to the hub that was killed. */
const insist = <Found>(what: string, call: () => Promise<Found>) =>
  eventually(
    what,
    () =>
      call().then(
        (found) => ({ found }),
        () => undefined,
      ),
    30_000,
  ).then(({ found }) => found);

it('wakes an agent, and again after a hub was killed', async () => {
  const ben = await headlessScene({ url: () => hub.url, flags: ['--url', hub.url], hub: hub.url, env: ownState() });
  ben.start('read');
  await ben.hasRoute();
  const first = await ben.send();
  await ben.happens(`read ${first}`);
  // A hub that has not heard of the wake yet confirms it a moment later.
  const isConfirmed = async () => (await ben.attempts()).join() === 'command confirmed';
  await eventually('confirmed by the command', isConfirmed);
  if (hubsAtOnce > 1) hub.child.kill('SIGKILL');
  const second = await insist('a send', () => ben.send());
  await eventually('the second one read', () => ben.count(`read ${second}`) === 1, 40_000);
  expect(ben.count('start')).toBe(2);
});
