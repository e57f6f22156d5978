// Files of the agent's machine, sent through the stdio bridge when a block asks for it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.js';
import { call } from '../support/http-call.js';
import { cliPath } from '../support/hub-process.js';
import { toAnswer } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';
import { connectStdio, type StdioClient } from './stdio-clients.js';

const hub = useHub();
const folder = mkdtempSync(join(tmpdir(), 'coterie-bridge-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
mkdirSync(join(folder, 'project'));
mkdirSync(join(folder, 'elsewhere'));
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

describe('without --files', () => {
  const send = async (cwd: string) => {
    const args = [cliPath, 'mcp', ...hub.flags, '--agent', 'ann', '--session', session];
    const other = new Client({ name: 'test', version: '1' });
    await other.connect(new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'ignore' }));
    const message = [fileOf(join(folder, 'project', 'shot.png'))];
    const answer = toAnswer(await other.callTool({ name: 'send_message', arguments: { target: 'ben', message } }));
    await other.close();
    return answer.text;
  };

  it('files of the folder where the bridge was started are sent', async () => {
    expect(await send(folder)).toMatch(/^Message sent successfully/);
    expect(await received()).toHaveLength(1);
    expect(await send(join(folder, 'elsewhere'))).toMatch(/^FORBIDDEN: message\[0\]\.source: .* is outside of /);
  });

  it.skipIf(process.platform === 'win32')('none are sent by a bridge that was started in the root folder', async () => {
    expect(await send('/')).toMatch(/^FORBIDDEN: .*root folder and reads no files\.\n.*--files DIR/);
  });
});

it('a folder that is not there is refused at the start', async () => {
  const { exitCode, stderr } = await runCli(['mcp', '--agent', 'ann', '--files', join(folder, 'none')]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(/--files was given '.*none'[^]*Allowed: a folder/),
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
