// The push service is down for a while, a hub is killed and started again, a second hub runs: every question arrives once
// it is back, none twice.
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHubProcess } from '../support/hub-process.js';
import { startPushService } from '../support/push-service.js';
import { askForPush as question, hubOptions, subscribedPhone } from '../support/subscribed-phone.js';

const questions = 12;
/** Longer than the lease of a hub that was killed, and than the pauses between attempts have become by then. */
const backMs = 40_000;
/** The lease, and a poll of the other hub. */
const heldMsMax = 25_000;

it('every question arrives once the push service is back, none twice', { timeout: 180_000 }, async () => {
  const service = await startPushService();
  const options = hubOptions(service);
  const first = await startHubProcess(options);
  const second = await startHubProcess(options);
  const phone = await subscribedPhone(service, first.url);
  await service.stop();

  const asked: string[] = [];
  const ask = async (url: string) => {
    asked.push(await question(url));
  };
  for (let index = 0; index < questions / 2; index += 1) await ask(index % 2 === 0 ? first.url : second.url);
  await eventually('the outage was noticed', async () => {
    const { channels } = await phone.call(second.url, 'list_channels');
    return channels[0]?.fault !== undefined;
  });
  await first.kill();
  const again = await startHubProcess(options);
  for (let index = 0; index < questions / 2; index += 1) await ask(index % 2 === 0 ? again.url : second.url);
  await service.start();

  const arrived = () => service.received.map(({ json }) => json.signal.id as string).toSorted();
  await eventually('every question arrived', () => new Set(arrived()).size === questions, backMs);
  // What a hub still held when it was killed is sent when its lease ends; by then nothing is left.
  await eventually('nothing waits', async () => {
    const metrics = await (await fetch(`${second.url}/metrics`)).text();
    return metrics.includes('coterie_pushes_waiting 0');
  });
  expect(arrived()).toEqual(asked.toSorted());
});

it('a push that a killed hub held is sent by another soon', { timeout: 120_000 }, async () => {
  const service = await startPushService();
  const options = hubOptions(service);
  const first = await startHubProcess(options);
  await subscribedPhone(service, first.url);
  service.ignore(1);
  const id = await question(first.url);
  await eventually('the push is under way', () => service.attempts() === 1);
  await first.kill();
  await startHubProcess(options);
  await eventually('the question arrived', () => service.received.length > 0, heldMsMax);
  expect(service.received.map(({ json }) => json.signal.id as string)).toEqual([id]);
});
