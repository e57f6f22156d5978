// Data folders and ports that a hub cannot use are refused and left as they were.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { folder, coterie, expectRefused } from './start-command.js';

const hub = useHubProcess();

describe('a data folder', () => {
  it('in use is refused with the pid and the address of its hub, which goes on', async () => {
    const finished = await coterie(['serve', '--port', '0', '--data', hub.data]);
    expectRefused(
      finished,
      3,
      'DATA_IN_USE',
      new RegExp(`pid ${hub.pid}.*${hub.url}[^]*${hub.url}/ shows how[^]*coterie stop`),
    );
    await call(hub.url, 'list_agents', {});
  });

  it.each(['a-file', 'a-file/below'])('that cannot be one (%s) is refused', async (path) => {
    writeFileSync(join(folder, 'a-file'), '');
    const finished = await coterie(['serve', '--port', '0', '--data', join(folder, path)]);
    expectRefused(finished, 3, 'DATA_NOT_WRITABLE', new RegExp(`${path}[^]*--data`));
  });

  it('written by a newer release is refused and left as it was', async () => {
    const data = tempFolder();
    await (await startHubProcess({ data })).stop();
    const file = join(data, 'coterie.db');
    const database = new DatabaseSync(file);
    database.exec('pragma user_version = 9999');
    database.close();
    const before = readFileSync(file);
    const finished = await coterie(['serve', '--port', '0', '--data', data]);
    expectRefused(finished, 3, 'DATABASE_NEWER', /9999[^]*newer release/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('written by a newer release that this one may follow is used as it is', async () => {
    const first = await startHubProcess();
    await call(first.url, 'register_agent', { agentId: 'ben' });
    await first.stop();
    const database = new DatabaseSync(join(first.data, 'coterie.db'));
    database.exec(`pragma user_version = 9999; insert into hub_schema values (9999, 'later', 1)`);
    database.close();
    const again = await startHubProcess({ data: first.data });
    expect((await call(again.url, 'list_agents', {})).agents).toMatchObject([{ id: 'ben' }, { id: 'me' }]);
  });

  it('whose database is no database is refused and left as it was', async () => {
    const data = tempFolder();
    const file = join(data, 'coterie.db');
    writeFileSync(file, 'not a database, but someone’s only copy of something\n'.repeat(100));
    const before = readFileSync(file);
    expectRefused(await coterie(['serve', '--port', '0', '--data', data]), 3, 'STORE_DAMAGED', /coterie\.db/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is free again at once after kill -9, and keeps what was acknowledged', async () => {
    const first = await startHubProcess();
    await call(first.url, 'register_agent', { agentId: 'ben' });
    await call(first.url, 'send_message', { target: 'ben', message: 'kept' }, { agent: 'ann' });
    await first.kill();
    const second = await startHubProcess({ data: first.data });
    const { messages } = await call(second.url, 'get_messages', {}, { agent: 'ben' });
    expect(messages).toMatchObject([{ content: [{ text: 'kept' }] }]);
  });
});

it('a port in use is refused with its number, and the data folder is given back', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const data = tempFolder();
  const finished = await coterie(['serve', '--port', String(port), '--data', data]);
  server.close();
  expectRefused(finished, 3, 'PORT_IN_USE', new RegExp(`Port ${port}[^]*--port`));
  expect(await (await startHubProcess({ data })).stop()).toBe(0);
});

it('a port in use by a hub is refused with how to use it, or to take another', async () => {
  const { port } = new URL(hub.url);
  const finished = await coterie(['serve', '--port', port, '--data', tempFolder()]);
  expectRefused(
    finished,
    3,
    'PORT_IN_USE',
    new RegExp(`Port ${port} .*by a Coterie hub\\.\n.*--url ${hub.url}.*coterie serve --port 0`),
  );
});
