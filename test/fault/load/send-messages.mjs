// A sender: posts to its thread and writes to readers, each message under a key of its own, and tries again with the
// same key until the hub has said yes or no.
import { setTimeout as sleep } from 'node:timers/promises';
import { HubChoice } from './hub-choice.mjs';
import { httpCaller, Refused } from './http-callers.mjs';

const retryMs = 50;

export async function sendMessages(client) {
  const { config, control, random } = client;
  const counter = { sent: 0 };
  const lane = async () => {
    const hubs = new HubChoice(config.urls, random);
    const line = { hubs, caller: httpCaller('keep-alive', { hubs, agent: config.agent }) };
    while (!control.isStopped && !control.isCalm && counter.sent < config.messagesMax) {
      counter.sent += 1;
      hubs.wander();
      await sendOne(client, line, `${config.name}-${counter.sent}`);
      await sleep(random.between(0, config.thinkMsMax));
    }
  };
  await Promise.all(Array.from({ length: config.lanes }, lane));
}

async function sendOne(client, line, uid) {
  const { random, control } = client;
  const draft = draftOf(client, uid);
  let outcome = await sendOnce(client, line, draft);
  // Without a key a retry may make a second message.
  if (draft.input.idempotencyKey === undefined) return;
  // Half of what was not stored is left at that: then it must never appear.
  const isInsistent = outcome === 'unknown' || random.happens(0.5);
  const unfinished = isInsistent ? ['unknown', 'not now'] : ['unknown'];
  // In calm and stop too: a message whose fate is unknown at the end would weaken the verdict.
  while (unfinished.includes(outcome) && !control.isStopped) {
    await sleep(retryMs);
    outcome = await sendOnce(client, line, draft);
  }
  // A retry of what had succeeded, as a client makes that never heard so.
  if (random.happens(0.03)) await sendOnce(client, line, draft);
}

async function sendOnce({ config, history }, { hubs, caller }, { input, expected }) {
  const sent = { agent: config.agent, key: input.idempotencyKey, ...expected };
  const call = history.invoke(hubs.url, 'send_message', sent);
  try {
    const { messageId: id, seq, duplicate } = await caller.call('send_message', input);
    history.ok(call, { result: { id, seq, duplicate } });
    return 'ok';
  } catch (error) {
    if (!(error instanceof Refused)) {
      history.unknown(call, error.code ?? error.message);
      hubs.moveOn();
      return 'unknown';
    }
    history.fail(call, error.code);
    if (!error.isForNow) return 'fail';
    hubs.moveOn();
    return 'not now';
  }
}

function draftOf({ config, random }, uid) {
  const key = random.happens(config.keylessShare ?? 0) ? {} : { idempotencyKey: `key-${uid}` };
  const base = { content: `message ${uid}`, metadata: { uid }, ...key };
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
