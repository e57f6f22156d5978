// Files of the agent's machine, sent through the stdio bridge when a block asks for it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { connectStdio, type StdioClient } from './stdio-clients.js';

const hub = useHub();
const folder = mkdtempSync(join(tmpdir(), 'coterie-bridge-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
mkdirSync(join(folder, 'project'));
writeFileSync(join(folder, 'project', 'shot.png'), png);
writeFileSync(join(folder, 'secret.png'), png);
writeFileSync(join(folder, 'project', 'notes.txt'), 'hello');

const session = 'files';
let client: StdioClient;
beforeAll(async () => {
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  const flags = [...hub.flags, '--agent', 'ann', '--session', session, '--files', join(folder, 'project')];
  client = await connectStdio('v2 2025', flags);
});
afterAll(() => client.close());

const received = async () => (await call(hub.url, 'get_messages', {}, { agent: 'ben', session })).messages;

const fileOf = (path: unknown, type = 'image') => ({ type, source: { type: 'file', path } });

describe('a file that a block asks for', () => {
  it('is sent as data, in the content and in a tool’s result', async () => {
    const result = { type: 'tool_result', toolUseId: 'c', output: [fileOf('./shot.png')] };
    const message = [{ type: 'text', text: 'look' }, { ...fileOf('shot.png'), alt: 'a shot' }, result];
    expect((await client.call('send_message', { target: 'ben', message })).structured).toMatchObject({ success: true });
    const [{ content }] = await received();
    const source = { type: 'base64', mediaType: 'image/png', data: png.toString('base64') };
    expect(content).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image', source, alt: 'a shot' },
      { type: 'tool_result', toolUseId: 'c', output: [{ type: 'image', source }] },
    ]);
  });

  it.each([
    ['outside of the folder', fileOf('../secret.png'), /^FORBIDDEN: message\[0\]\.source: .*\n.*--files DIR/],
    ['that is no medium', fileOf('notes.txt'), /^INVALID_INPUT: message\[0\]\.source: .*notes\.txt' is no image/],
    ['that is not there', fileOf('none.png'), /^INVALID_INPUT: message\[0\]\.source: .* cannot be read/],
    ['of another kind', fileOf('shot.png', 'audio'), /^INVALID_INPUT: message\[0\]\.source: is image/],
    ['without a path', fileOf(undefined), /^INVALID_INPUT: message\[0\]\.source\.path: must be the path/],
  ])('%s is refused, and nothing is sent', async (_, block, text) => {
    const answer = await client.call('send_message', { target: 'ben', message: [block] });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(text);
    expect(await received()).toEqual([]);
  });
});

it('a file: URL is not opened, and the hub itself reads no file', async () => {
  const url = `file://${join(folder, 'project', 'shot.png')}`;
  await client.call('send_message', { target: 'ben', message: [{ type: 'image', source: { type: 'url', url } }] });
  const [{ content }] = await received();
  expect(content).toEqual([{ type: 'image', source: { type: 'url', url } }]);
  const refused = call(hub.url, 'send_message', { target: 'ben', message: [fileOf(url)] }, { agent: 'ann', session });
  await expect(refused).rejects.toThrow(/source\.type: must be url or base64; files are read on your own machine/);
});
