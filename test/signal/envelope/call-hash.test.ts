import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { callHash } from '../../../dist/signal/envelope/index.js';

const call = { tool: 'Bash', input: '{"command":"ls"}', cwd: '/srv/api' };

test('the hash of a tool call is SHA-256 over its tool, folder and input', async () => {
  const expected = createHash('sha256').update(`coterie/call\0["Bash","/srv/api","{\\"command\\":\\"ls\\"}"]`);
  expect(await callHash(call)).toBe(expected.digest('hex'));
});

test('calls that differ in one character, or in where a character belongs, have different hashes', async () => {
  const others = [
    { ...call, input: '{"command":"ls "}' },
    { ...call, tool: 'bash' },
    { ...call, cwd: null },
    { ...call, cwd: 'null' },
    { tool: 'Bash","/srv', input: call.input, cwd: '/api' },
  ];
  const hashes = await Promise.all([call, ...others].map(callHash));
  expect(new Set(hashes).size).toBe(hashes.length);
});
