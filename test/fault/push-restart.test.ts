// One hub on a folder: what an earlier run was sending when it was killed does not wait for the end of its lease.
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHubProcess } from '../support/hub-process.js';
import { startPushService } from '../support/push-service.js';
import { askForPush, hubOptions, subscribedPhone } from '../support/subscribed-phone.js';

it('a push that was under way when the hub was killed is sent when it starts again', async () => {
  const service = await startPushService();
  const options = hubOptions(service);
  const first = await startHubProcess(options);
  await subscribedPhone(service, first.url);
  service.ignore(1);
  const id = await askForPush(first.url);
  await eventually('the push is under way', () => service.attempts() === 1);
  await first.kill();
  await startHubProcess(options);
  await eventually('the question arrived', () => service.received.length > 0);
  expect(service.received.map(({ json }) => json.signal.id as string)).toEqual([id]);
});
