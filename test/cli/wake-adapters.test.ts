// coterie wake codex and opencode: what they tell the client, and what they say when it does not take it. And coterie wake test.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { newAgent, ownState, promptWakes, startCompanion } from '../support/woken-agent.js';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { runCli, startCli } from './run-cli.js';

const codex = fileURLToPath(new URL('../support/codex-program.mjs', import.meta.url));
const env = ownState();
const hub = useHubProcess({ args: ['--config', promptWakes()] });
const thread = '0199a213-81c0-7800-8aa1-bbab2a035a53';

/** As an installed program is started: by its name alone. */
function codexIn(folder: string): { program: string; log: () => unknown[]; env: Record<string, string> } {
  const program = join(folder, 'codex');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${codex}' "$@"\n`, { mode: 0o755 });
  const file = join(folder, 'codex.log');
  const log = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return { program, log, env: { ...env, CODEX_LOG: file } };
}

it('queues a message in a thread of Codex', async () => {
  const ben = await newAgent(() => hub.url);
  const { program, log, env: own } = codexIn(tempFolder());
  startCompanion(['codex', '--agent', ben.agent, '--url', hub.url, '--program', program, '--thread', thread], {
    env: own,
  });
  await ben.hasRoute();
  await ben.send();
  await eventually('accepted', async () => (await ben.attempts()).includes('codex-queue accepted'));
  expect(log()).toEqual([['queue', '--thread', thread, '--message', expect.stringMatching(/^1 unread from ada/)]]);
  await ben.read();
  expect(await ben.attempts()).toEqual(['codex-queue confirmed']);
});

it('runs a turn in an app-server, which it tells that nobody can be asked', async () => {
  const ben = await newAgent(() => hub.url);
  const { program, log, env: own } = codexIn(tempFolder());
  const flags = ['--app-server', '--agent', ben.agent, '--url', hub.url, '--program', program, '--thread', thread];
  startCompanion(['codex', ...flags], { env: own });
  await ben.hasRoute();
  await ben.send();
  await eventually('the end of the turn', async () => (await ben.attempts()).includes('codex-app-server unconfirmed'));
  const text = expect.stringMatching(/^1 unread from ada/);
  expect(log()).toMatchObject([
    { method: 'initialize' },
    { method: 'initialized' },
    { method: 'thread/resume', params: { threadId: thread } },
    { method: 'turn/start', params: { threadId: thread, input: [{ type: 'text', text }] } },
    { error: { message: 'Nobody is here to ask.' } },
  ]);
  expect(await ben.unread()).toBe(1);
});

it.each([
  ['codex-queue', [], 'codex queue ended with exit code 1'],
  ['codex-app-server', ['--app-server'], 'codex app-server refused thread/resume'],
])('says that Codex refuses a thread, and why only in its own output: %s', async (kind, flags, reason) => {
  const ben = await newAgent(() => hub.url);
  const { program, env: own } = codexIn(tempFolder());
  const args = ['codex', ...flags, '--agent', ben.agent, '--url', hub.url, '--program', program, '--thread', thread];
  const companion = startCompanion(args, { env: { ...own, CODEX_HELD: '1' } });
  await ben.hasRoute();
  await ben.send();
  await eventually('failed', async () => (await ben.attempts()).includes(`${kind} failed`));
  expect((await ben.wakes()).wakes[0].attempts[0].reason).toBe(reason);
  await companion.shows(/thread is held/);
  expect(await ben.unread()).toBe(1);
});

it('prompts a session of OpenCode, and tells an unknown session from a server that is away', async () => {
  const prompts: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isKnown = request.url === '/session/ses_1/prompt_async';
      prompts.push([request.method, request.url, JSON.parse(Buffer.concat(chunks).toString())]);
      response.writeHead(isKnown ? 204 : 404).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => new Promise((closed) => server.close(closed));
  cleanUpAfter(() => server.closeAllConnections());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const start = (agent: string, session: string) =>
    startCompanion(['opencode', '--agent', agent, '--url', hub.url, '--server', address, '--client-session', session], {
      env,
    });
  const [ben, ann] = [await newAgent(() => hub.url), await newAgent(() => hub.url)];
  start(ben.agent, 'ses_1');
  start(ann.agent, 'ses_2');
  await Promise.all([ben.hasRoute(), ann.hasRoute()]);
  await ben.send();
  await eventually('accepted', async () => (await ben.attempts()).includes('opencode accepted'));
  const text = expect.stringMatching(/^1 unread from ada/);
  expect(prompts).toEqual([['POST', '/session/ses_1/prompt_async', { parts: [{ type: 'text', text }] }]]);
  await ann.send();
  await eventually('failed', async () => (await ann.attempts()).includes('opencode failed'));
  expect((await ann.wakes()).wakes[0].attempts[0].reason).toBe('OpenCode has no such session');
  await ben.read();
  server.closeAllConnections();
  await close();
  await ben.send();
  await eventually('failed', async () => (await ben.attempts()).includes('opencode failed'));
  expect((await ben.wakes()).wakes[0].attempts[0].reason).toBe('OpenCode does not answer');
});

it('tests a wake: confirmed by the agent’s call, or where it stopped', async () => {
  const ben = await newAgent(() => hub.url);
  const flags = ['--as', 'me', '--url', hub.url];
  const none = await runCli(['wake', 'test', `@${ben.agent}`, ...flags, '--timeout', '5s'], { env });
  expect(none.exitCode).toBe(7);
  expect(none.stdout).toMatch(/no wake route/);
  startCompanion(['lines', '--agent', ben.agent, '--url', hub.url], { env });
  await ben.hasRoute();
  const testing = startCli(['wake', 'test', `@${ben.agent}`, ...flags, '--timeout', '20s'], { env });
  await eventually('accepted', async () => (await ben.attempts()).includes('claude-monitor accepted'));
  await ben.read();
  const { exitCode, stdout } = await testing.end();
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/claude-monitor +confirmed/);
});
