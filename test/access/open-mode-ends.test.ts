// The first key ends open mode, also for whoever was let in before it: nothing goes on without a key.
import { expect, it } from 'vitest';
import { startHubInProcess } from '../support/hub-in-process.js';
import { post } from '../support/http-call.js';
import { hubsAt } from '../support/hub-team.js';
import { makeKey } from '../support/keys.js';
import { TestDevice } from '../support/test-device.js';
import { useHub } from '../support/use-hub.js';
import { ownMsOf } from '../support/own-time.js';
import { askOperation } from './ask.js';

const hub = useHub();

it('ends the waits and streams of open mode within a second, at every hub', async () => {
  const opened = await Promise.all(
    hubsAt(hub.url).map(async (url, index) => {
      const name = ['coterie-agent', `before-${index}`] as const;
      await askOperation(url, 'register_agent', {}, [name]);
      const wait = askOperation(url, 'wait_for_mentions', { timeoutMs: 60_000 }, [name]);
      const stream = await fetch(`${url}/v1/events`, { headers: Object.fromEntries([name]) });
      return { wait, streamed: stream.text() };
    }),
  );
  await makeKey(hub.store, { agent: 'ann', capabilities: ['admin'] });
  const ended = Promise.all(opened.flatMap(({ wait, streamed }) => [wait, streamed]));
  expect(await ownMsOf(hub.url, ended)).toBeLessThan(1_000);
  const waits = await Promise.all(opened.map(({ wait }) => wait));
  for (const { status, body } of waits) expect([status, body.error.code]).toEqual([401, 'KEY_REQUIRED']);
});

it('leaves no device verified: any program of the machine could have said so', async () => {
  const open = await startHubInProcess({ args: ['--person', 'pat'] });
  const device = await TestDevice.make();
  await device.pairOnPage(open.url);
  const verify = () => post(open.url, 'verify_device', { deviceId: device.id }, { agent: 'pat' });
  expect((await verify()).body.device.verified).toBe(true);
  // Also one that goes on until it is refused: a hub hears of the first key a moment later.
  const codes: string[] = [];
  const goingOn = (async () => {
    while (codes.at(-1) !== 'KEY_REQUIRED') codes.push((await verify()).body.error?.code ?? '');
  })();
  await makeKey(open.store, { agent: 'ann', capabilities: ['admin'] });
  await goingOn;
  expect((await device.call(open.url, 'list_devices')).devices).toMatchObject([{ id: device.id, verified: false }]);
});
