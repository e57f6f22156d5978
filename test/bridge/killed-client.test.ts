// A client killed around a reply: what it did not see comes again on its next connection, marked; nothing is lost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { cliPath } from '../support/hub-process.js';
import { useHub } from '../support/use-hub.js';
import { isRunning } from '../support/is-running.js';

const clientFile = fileURLToPath(new URL('doomed-client.mjs', import.meta.url));
const lives = 30;

const hub = useHub();

interface Note {
  bridge?: number;
  message: string;
  redelivered: boolean;
}

const readNotes = (file: string): Note[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line): Note => JSON.parse(line))
    : [];

it(`of ${lives} clients killed around a reply none loses a message, and none gets one twice unmarked`, async () => {
  const session = 'killed';
  const file = join(hub.data, 'seen.jsonl');
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  const sent: string[] = [];
  const send = async () => {
    const as = { agent: 'ann', session };
    sent.push((await call(hub.url, 'send_message', { target: 'ben', message: 'x'.repeat(2_000) }, as)).messageId);
  };
  const args = [clientFile, file, cliPath, ...hub.flags, '--agent', 'ben', '--session', session];
  const pause = (most: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * most));
  const sendSome = async () => {
    for (let index = 0; index < 8; index++) {
      await pause(3);
      await send();
    }
  };

  for (let life = 0; life < lives; life++) {
    const before = readNotes(file).length;
    const client = spawn(process.execPath, args, { stdio: 'ignore' });
    const exited = once(client, 'exit');
    try {
      await send();
      // Its bridge and at least one message are noted: it is in full swing.
      await eventually('a message taken', () => readNotes(file).length >= before + 2, 20_000);
      const sending = sendSome();
      await pause(20);
      expect(client.exitCode).toBe(null);
      client.kill('SIGKILL');
      await sending;
    } finally {
      client.kill('SIGKILL');
      await exited;
    }
  }

  const bridges = readNotes(file).flatMap(({ bridge }) => bridge ?? []);
  expect(bridges).toHaveLength(lives);
  await eventually('all bridges ended', () => bridges.every((pid) => !isRunning(pid)));
  // Well under the time after which an unsettled lease would run out by itself.
  const last: Note[] = [];
  await eventually('everything taken', async () => {
    const { messages } = await call(hub.url, 'get_messages', { limit: 500 }, { agent: 'ben', session });
    for (const { id, redelivered } of messages) last.push({ message: id, redelivered: redelivered === true });
    const seen = new Set([...readNotes(file), ...last].map(({ message }) => message));
    return sent.every((id) => seen.has(id));
  });

  const notes = [...readNotes(file), ...last].filter(({ bridge }) => bridge === undefined);
  const unmarked = notes.filter(({ redelivered }) => !redelivered).map(({ message }) => message);
  expect(new Set(unmarked).size).toBe(unmarked.length);
  // Otherwise no kill met a reply, and the run proved nothing.
  expect(notes.length).toBeGreaterThan(unmarked.length);
}, 180_000);
