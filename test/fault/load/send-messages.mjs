// A sender: posts to its thread and writes to readers, each message under a key of its own, and tries again with the
// same key until the hub has said yes or no.
import { setTimeout as sleep } from 'node:timers/promises';
import { httpCaller, Refused } from './http-callers.mjs';

const retryMs = 50;

export async function sendMessages(client) {
  const { config, control } = client;
  const caller = httpCaller('keep-alive', config);
  const counter = { sent: 0 };
  const lane = async () => {
    while (!control.isStopped && !control.isCalm && counter.sent < config.messagesMax) {
      counter.sent += 1;
      await sendOne(client, caller, `${config.name}-${counter.sent}`);
      await sleep(client.random.between(0, config.thinkMsMax));
    }
  };
  await Promise.all(Array.from({ length: config.lanes }, lane));
}

async function sendOne(client, caller, uid) {
  const { random, control } = client;
  const draft = draftOf(client, uid);
  // In calm and stop too: a message whose fate is unknown at the end would weaken the verdict.
  while ((await sendOnce(client, caller, draft)) === 'unknown' && !control.isStopped) await sleep(retryMs);
  // A retry of what had succeeded, as a client makes that never heard so.
  if (random.happens(0.03)) await sendOnce(client, caller, draft);
}

async function sendOnce({ config, history }, caller, { input, expected }) {
  const call = history.invoke('send_message', { agent: config.agent, key: input.idempotencyKey, ...expected });
  try {
    const { messageId: id, seq, duplicate } = await caller.call('send_message', input);
    history.ok(call, { result: { id, seq, duplicate } });
    return 'ok';
  } catch (error) {
    if (error instanceof Refused) {
      history.fail(call, error.code);
      return 'fail';
    }
    history.unknown(call, error.code ?? error.message);
    return 'unknown';
  }
}

function draftOf({ config, random }, uid) {
  const base = { content: `message ${uid}`, metadata: { uid }, idempotencyKey: `key-${uid}` };
  const input = { ...base, ...urgencyOf(config, random), ...placeOf(config, random) };
  const to = input.threadId === undefined ? [input.target] : config.readers;
  const expected = { uid, to, ...(input.threadId === undefined ? {} : { threadId: input.threadId }) };
  if (config.expiringShare > 0 && random.happens(config.expiringShare)) {
    input.ttl = 1;
    expected.ttlMs = 1_000;
  }
  return { input, expected };
}

function urgencyOf({ isPlain }, random) {
  if (isPlain) return {};
  const urgencies = [{ priority: 'high' }, { priority: 'low' }, { action: 'interrupt' }];
  return random.happens(0.1) ? random.pick(urgencies) : {};
}

function placeOf({ readers, thread, foreignThread }, random) {
  if (thread === undefined || random.happens(0.5)) return { target: random.pick(readers) };
  // Refused, since the sender is not in it: nothing of it may ever be seen.
  if (random.happens(0.04)) return { threadId: foreignThread };
  return { threadId: thread, mentions: readers.filter(() => random.happens(0.3)) };
}
