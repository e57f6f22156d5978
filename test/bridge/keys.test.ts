// coterie mcp with a key: the name comes from it, a refused one is a tool error, and a rotated one is picked up from its file.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { callWith, keyCommands, keyIn, type KeyCommand } from '../support/key-commands.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHub } from '../support/use-hub.js';
import { connectStdio } from './stdio-clients.js';

const hub = useHub();
let coterie: KeyCommand;
let ann: string;

beforeAll(async () => {
  coterie = await keyCommands(hub.data);
  ann = await newKey('ann');
  await eventually('open mode is over', async () => (await callWith(undefined, hub.url, 'list_agents')).status === 401);
});

async function newKey(agent: string): Promise<string> {
  return keyIn(await coterie('keys', 'create', '--agent', agent)).text;
}

async function works(key: string): Promise<void> {
  await eventually('the key works', async () => (await callWith(key, hub.url, 'register_agent')).status === 200);
}

function keyFile(): { file: string; write: (key: string) => void } {
  const file = join(tempFolder(), 'key');
  const write = (key: string) => {
    writeFileSync(file, `${key}\n`);
    chmodSync(file, 0o600);
  };
  return { file, write };
}

it('needs no --agent: the name is the key’s', async () => {
  const key = await newKey('ben');
  await works(key);
  const client = await connectStdio('v2 2026', hub.flags, 'test', { env: { COTERIE_KEY: key } });
  await callWith(ann, hub.url, 'send_message', { target: 'ben', message: 'hello' });
  const read = await client.call('get_messages', {});
  expect(read.text).toContain('hello');
  // It was taken by the bridge for ben, and settled with the next call.
  expect((await client.call('get_messages', {})).text).not.toContain('hello');
  const sent = await client.call('send_message', { target: 'ann', message: 'hi' });
  expect(sent.isError).toBeFalsy();
  const { messages } = (await callWith(ann, hub.url, 'get_messages')).body;
  expect(messages).toMatchObject([{ sender: 'ben' }]);
});

it.each(['v1', 'v2 2026'] as const)('lists the tools that the key may call (%s)', async (generation) => {
  const agent = `reader-${generation.replace(' ', '-')}`;
  const { text: key } = keyIn(await coterie('keys', 'create', '--agent', agent, '--capabilities', 'read'));
  await eventually('the key works', async () => (await callWith(key, hub.url, 'list_agents')).status === 200);
  const client = await connectStdio(generation, hub.flags, 'test', { env: { COTERIE_KEY: key } });
  const names = (await client.tools()).map(({ name }) => name);
  expect(names).toContain('get_messages');
  expect(names).not.toContain('send_message');
  const wrong = `coterie_aaaaaaaaaaaa_${'a'.repeat(43)}`;
  const unknown = await connectStdio(generation, hub.flags, 'test', { env: { COTERIE_KEY: wrong } });
  expect((await unknown.tools()).map(({ name }) => name)).toContain('send_message');
});

it('--agent auto gives way to the key', async () => {
  const key = await newKey('cleo');
  await works(key);
  const client = await connectStdio('v1', [...hub.flags, '--agent', 'auto'], 'test', { env: { COTERIE_KEY: key } });
  expect((await client.call('register_agent', {})).text).toMatch(/^Registered cleo /);
});

it('a refused key is a tool error that says what to do', async () => {
  const missing = await connectStdio('v2 2026', hub.flags);
  const refused = await missing.call('list_agents', {});
  expect(refused.isError).toBe(true);
  expect(refused.text).toMatch(/^KEY_REQUIRED: This hub needs a key[^]*COTERIE_KEY in its environment, or --key-file/);
  const wrong = `coterie_aaaaaaaaaaaa_${'a'.repeat(43)}`;
  const client = await connectStdio('v2 2026', hub.flags, 'test', { env: { COTERIE_KEY: wrong } });
  const answer = await client.call('list_agents', {});
  expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/^KEY_INVALID: This hub does not know/) });
  expect(answer.text).not.toContain(wrong);
});

it('a rotated key is picked up from its file, also by a wait', async () => {
  const { file, write } = keyFile();
  const old = keyIn(await coterie('keys', 'create', '--agent', 'dan'));
  await works(old.text);
  write(old.text);
  const client = await connectStdio('v2 2026', [...hub.flags, '--key-file', file]);
  expect((await client.call('list_agents', {})).isError).toBeFalsy();
  const waiting = client.call('wait_for_mentions', { timeoutMs: 20_000 });
  const young = keyIn(await coterie('keys', 'rotate', old.id));
  await works(young.text);
  write(young.text);
  await coterie('keys', 'revoke', old.id);
  await eventually(
    'the old key is refused',
    async () => (await callWith(old.text, hub.url, 'list_agents')).status === 401,
  );
  await callWith(ann, hub.url, 'send_message', { target: 'dan', message: 'for the wait' });
  expect((await waiting).text).toContain('for the wait');
  expect((await client.call('list_agents', {})).isError).toBeFalsy();
});
