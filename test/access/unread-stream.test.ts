// A follower that does not read what it is sent, and whose key ends: the hub goes on.
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { cliAudit } from '../support/cli-audit.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { hubsAt } from '../support/hub-team.js';
import { makeKey, revokeKey } from '../support/keys.js';
import { startedBefore } from '../support/use-hub.js';
import { ask, askOperation, bearer } from './ask.js';
import { startKeyedHub } from './key-states.js';

const hub = startedBefore(startKeyedHub);

/** More than the kernel buffers for one connection. */
const unreadBytes = 16 * 1024 * 1024;

async function openUnread(url: string, key: string) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  cleanUpAfter(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

it('a person’s stream that nobody reads is owed one hint, however many questions change', async () => {
  const [url = hub.url] = hubsAt(hub.url);
  await hub.store.addPerson({
    sessionId: 'default',
    id: 'pat',
    name: null,
    at: Date.now(),
    audit: cliAudit('default'),
  });
  const key = await makeKey(hub.store, { agent: 'pat', isPerson: true });
  const socket = await openUnread(url, key.text);
  const admin = [bearer(hub.keys.admin)] as const;
  const message = 'x'.repeat(250_000);
  for (let sent = 0; sent < unreadBytes; sent += message.length)
    await askOperation(url, 'send_message', { target: 'pat', message }, admin);
  for (let index = 0; index < 30; index += 1) {
    const { body } = await askOperation(url, 'ask_question', { question: 'x', to: 'pat' }, admin);
    await askOperation(url, 'cancel_question', { questionId: body.questionId }, admin);
  }
  let hints = 0;
  let rest = '';
  let read = 0;
  socket.setEncoding('latin1').on('data', (part: string) => {
    read += part.length;
    const events = (rest + part).split('event: signals');
    hints += events.length - 1;
    rest = (events.at(-1) ?? '').slice(-20);
  });
  await eventually('all is read', () => read > unreadBytes);
  await eventually('a hint', () => hints > 0);
  expect(hints).toBeLessThan(10);
});

it('a stream that nobody reads ends with its key, and the hub goes on', async () => {
  const [url = hub.url] = hubsAt(hub.url);
  const key = await makeKey(hub.store, { agent: 'slow' });
  await askOperation(url, 'register_agent', {}, [bearer(key.text)]);
  // The timer that keeps the stream alive; the hub's own are older.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  cleanUpAfter(() => void vi.useRealTimers());
  await openUnread(url, key.text);
  const read = await fetch(`${url}/v1/events`, { headers: Object.fromEntries([bearer(key.text)]) });
  const ended = read.text();
  const message = 'x'.repeat(250_000);
  for (let sent = 0; sent < unreadBytes; sent += message.length) {
    const { status } = await askOperation(url, 'send_message', { target: 'slow', message }, [bearer(hub.keys.admin)]);
    expect(status).toBe(200);
  }
  await revokeKey(hub.store, key);
  await ended;
  vi.advanceTimersByTime(60_000);
  expect((await ask(url, { path: '/healthz' })).status).toBe(200);
});
