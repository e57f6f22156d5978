// The package as another program sees it: through its entry points, compiled by the strictest compiler and run by Node.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coterie-consumer-')));

const source = `
import { HubClient, HubError, type CallInput, type CallOutput } from 'coterie/client';
import { Msg, MsgRole, TextBlock, ToolUseBlock, type ContentBlock } from 'coterie/contract';
import { fileBlock } from 'coterie/files';
import { formatMessages, importMessages } from 'coterie/format';
import { startHub } from 'coterie';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Send = CallInput<'send_message'>;

export const exact: [
  Equal<Send['messageType'], 'PING' | 'PONG' | 'HANDSHAKE' | 'DIRECTIVE' | 'STATUS' | 'ACK' | 'QUERY' | 'RESULT' | undefined>,
  Equal<Send['priority'], 'low' | 'normal' | 'high' | undefined>,
  Equal<Send['action'], 'interrupt' | 'queue' | undefined>,
  Equal<Send['content'], string | readonly ContentBlock[] | Msg>,
] = [true, true, true, true];

const msg: Msg = Msg.builder().role(MsgRole.ASSISTANT).content([TextBlock.of('Hi'), ToolUseBlock.of('c', 'f')]).build();
const calls: ToolUseBlock[] = msg.getContent().filter((block) => block instanceof ToolUseBlock);

export const accepted: Send[] = [
  { target: 'ben', content: 'Hi', messageType: 'QUERY', priority: 'high', action: 'interrupt' },
  { target: 'ben', content: [{ type: 'text', text: 'Hi' }] },
  { target: 'ben', content: msg },
  { target: 'ben', content: msg.getContent() },
];
export const opening: CallInput<'create_thread'> = { title: 'Plan', participants: ['ben'], initialMessage: msg };
export const receipt = (sent: CallOutput<'send_message'>): string => sent.messageId;

export const refused: Send[] = [
  // @ts-expect-error content is text or blocks
  { target: 'ben', content: 7 },
  // @ts-expect-error a block has a known type
  { target: 'ben', content: [{ type: 'sound' }] },
  // @ts-expect-error not a type of message
  { target: 'ben', content: 'Hi', messageType: 'QUESTION' },
  // @ts-expect-error not a priority
  { target: 'ben', content: 'Hi', priority: 'urgent' },
  // @ts-expect-error not an action
  { target: 'ben', content: 'Hi', action: 'wake' },
  // @ts-expect-error a Msg is content and nothing else
  { target: msg, content: 'Hi' },
];

export const formatted = formatMessages(['Hi', msg], { provider: 'openai' }).messages;
// @ts-expect-error not a provider
export const unknown = () => formatMessages(['Hi'], { provider: 'opnai' });

const hub = new HubClient({ url: 'http://127.0.0.1:9', agent: 'ann' });
console.log(calls.length, hub.url, typeof startHub, typeof importMessages, typeof HubError);
console.log(await fileBlock('none.png').catch((error: unknown) => (error instanceof HubError ? error.code : error)));
`;

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/coterie'), 'junction');
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'main.ts'), source);
  const page = readFileSync(join(root, 'docs/formatters.md'), 'utf8');
  writeFileSync(join(folder, 'page.ts'), /```ts\n([^]+?)```/.exec(page)?.[1] ?? 'no example');
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(script: string, ...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
  return `${stdout}${stderr}${status === 0 ? '' : `exit code ${status}`}`;
}

it('compiles against the package’s types, and runs, the example of the docs too', () => {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck'];
  const forNode = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
  expect(run(join(root, 'node_modules/typescript/bin/tsc'), ...strict, ...forNode, 'main.ts', 'page.ts')).toBe('');
  expect(run('page.js')).toBe('');
  expect(run('main.js')).toBe('1 http://127.0.0.1:9 function function function\nINVALID_INPUT\n');
});
