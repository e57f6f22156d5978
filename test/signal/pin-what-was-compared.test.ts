// A hub cannot exchange a device's keys between the moment when they were compared and the moment when they are pinned.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pinnedDevices, pinsFileName } from '../../dist/files/pins.js';
import { newKeys } from '../../dist/signal/envelope/index.js';
import { output } from '../cli/run-cli.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { tempFolder } from '../support/temp-folder.js';
import { hubKidOf, TestDevice } from '../support/test-device.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub({ args: ['--person', 'ann'] });

/** Answers verify_device with other keys, and does all else as it should. */
async function exchangingHub(): Promise<string> {
  const other = (await newKeys(false)).public;
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray());
      const { 'content-type': type = 'application/json', 'coterie-agent': agent } = request.headers;
      const headers = { 'content-type': type, ...(typeof agent === 'string' ? { 'coterie-agent': agent } : {}) };
      const { method = 'GET', url = '' } = request;
      const answer = await fetch(`${hub.url}${url}`, { method, headers, ...(method === 'POST' ? { body } : {}) });
      const said = (await answer.json()) as { device?: object };
      const shown = url === '/v1/verify_device' ? { ...said, device: { ...said.device, ...other } } : said;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(shown));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfter(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.resolve();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('pins the keys whose safety number was compared', async () => {
  const device = await TestDevice.make();
  await device.pairOnPage(hub.url);
  const home = tempFolder();
  const url = await exchangingHub();
  await output(['devices', 'verify', device.id, '--yes', '--url', url], { env: { HOME: home, XDG_DATA_HOME: home } });
  const pins = pinnedDevices(join(home, 'coterie', pinsFileName), await hubKidOf(hub.url));
  expect([...pins.keys()]).toEqual([device.keys.public.kid]);
});
