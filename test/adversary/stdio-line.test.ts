// A line beyond the bridge's limit is refused with an error, without being kept, and the bridge goes on.
import { expect, it } from 'vitest';
import { LineReader } from '../../dist/bridge/line-reader.js';
import { eventually } from '../support/eventually.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { startRawBridge } from '../bridge/raw-bridge.js';

const hub = useHubProcess();

it('answers a request of 17 MiB with an error under its id, and serves the next one', async () => {
  const bridge = await startRawBridge(['--agent', 'ann', '--data', hub.data]);
  const id = bridge.callTool('send_message', { target: 'ann', message: 'x'.repeat(17 * 1024 * 1024) });
  const refused = await bridge.answer(id);
  expect(refused.error).toMatchObject({ code: -32_600, message: expect.stringContaining('BODY_TOO_LARGE') });
  const next = await bridge.answer(bridge.callTool('list_agents', {}));
  expect(next.isError).not.toBe(true);
  bridge.endInput();
  expect(await bridge.exited).toBe(0);
});

it('answers with id null where it cannot be known, also if the line never ends', async () => {
  const bridge = await startRawBridge(['--agent', 'ben', '--data', hub.data]);
  bridge.write('['.repeat(17 * 1024 * 1024));
  bridge.endInput();
  await eventually('an error', () => bridge.lines.some((line) => line.id === null));
  expect(await bridge.exited).toBe(0);
});

const bytesMax = 4_000;
const filling = 'x'.repeat(bytesMax);
const line = (text: string) => {
  const reader = new LineReader(bytesMax);
  const chunks = text.match(/[^]{1,700}/g) ?? [];
  return chunks.flatMap((chunk) => [...reader.read(Buffer.from(chunk))]);
};

it.each([
  ['first', `{"jsonrpc":"2.0","id":7,"method":"m","params":{"id":1,"x":"${filling}"}}`, 7],
  ['after the method', `{"method":"m","id":"a-1","params":{"x":"${filling}"}}`, 'a-1'],
  ['last', `{"method":"m","params":{"id":1,"x":"${filling}"},"jsonrpc":"2.0","id":8}`, 8],
  ['in the params only', `{"method":"m","params":{"id":1,"x":"${filling}"}}`, null],
  ['nowhere', filling + filling, null],
])('finds the id that is %s', (_, text, id) => {
  expect(line(`${text}\n{"next":1}\n`)).toEqual([{ bytes: text.length + 1, id }, Buffer.from('{"next":1}\n')]);
});
