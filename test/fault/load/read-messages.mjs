// A reader: takes messages again and again, gives some calls up around their answer, and acknowledges as it was told to.
import { setTimeout as sleep } from 'node:timers/promises';
import { Aim } from './aim.mjs';
import { copiesOf } from './history-writer.mjs';
import { HubChoice } from './hub-choice.mjs';
import { httpCaller, Refused } from './http-callers.mjs';
import { mcpCaller } from './mcp-callers.mjs';

/** While the hub is down: often enough to be there when it is back. */
const retryMs = 50;

export async function readMessages(client) {
  await Promise.all(client.config.vias.map((via) => readBy(via, client)));
}

async function readBy(via, client) {
  const { config, random, control } = client;
  const hubs = new HubChoice(config.urls, random);
  const caller = (via.startsWith('mcp') ? mcpCaller : httpCaller)(via, { hubs, agent: config.agent });
  const aims = new Map(config.operations.map((operation) => [operation, new Aim(random, config.spreadMs)]));
  const acknowledger = { cursor: undefined };
  let [calls, drops] = [0, 0];
  while (!control.isStopped) {
    hubs.wander();
    if (!(await isConnected(caller))) {
      hubs.moveOn();
      continue;
    }
    calls += 1;
    if (calls > config.boldCallsMax && drops >= (config.dropsMin ?? 0)) control.calm();
    const { operation, input } = nextCall(client, acknowledger);
    const aim = aims.get(operation);
    const isBold = !control.isCalm && random.happens(config.giveUpShare);
    const how = { dies: config.livesMax !== undefined, aborts: config.aborts };
    const give = isBold ? { upAfterMs: aim.next(), ...how } : undefined;
    const started = performance.now();
    const answer = await readOnce(client, { hubs, caller, operation, input, give, acknowledger });
    if (answer === undefined) hubs.moveOn();
    if (answer === undefined && give !== undefined) drops += 1;
    if (give !== undefined) continue;
    // How long an empty answer took says nothing about when the next message comes.
    if (answer === undefined) await sleep(retryMs);
    else if (answer.messages.length > 0) aim.sample(performance.now() - started);
  }
}

async function isConnected(caller) {
  try {
    await caller.connect?.();
    return true;
  } catch {
    await sleep(retryMs);
    return false;
  }
}

function nextCall({ config, random, control }, acknowledger) {
  const operation = random.pick(config.operations);
  const input = { limit: random.whole(1, config.limitMax), ack: config.ack };
  if (operation === 'wait_for_mentions') {
    input.for = 'all';
    input.timeoutMs = control.isCalm ? 1_000 : random.whole(50, config.timeoutMsMax);
  }
  // Says that the answer before was dealt with, with every call until one has come back.
  if (acknowledger.cursor !== undefined) input.cursor = acknowledger.cursor;
  return { operation, input };
}

/** Returns the answer, if one was seen. */
async function readOnce(client, { hubs, caller, operation, input, give, acknowledger }) {
  const { config, history, news } = client;
  const call = history.invoke(hubs.url, operation, { agent: config.agent, ...input });
  try {
    const answer = await caller.call(operation, input, give);
    history.ok(call, { copies: copiesOf(answer.messages), result: resultOf(answer) });
    if (answer.messages.length > 0) news();
    acknowledger.cursor = undefined;
    if (config.ack === 'manual' && answer.messages.length > 0)
      await acknowledge(client, { hubs, caller, answer, acknowledger });
    // An empty inbox is not asked again at once.
    if (answer.messages.length === 0 && operation === 'get_messages') await sleep(retryMs);
    return answer;
  } catch (error) {
    if (error instanceof Refused) history.fail(call, error.code);
    else history.unknown(call, reasonOf(error));
    return undefined;
  }
}

/** At once by ids, or by the cursor in the next call; or not at all: then the lease runs out and they come again. */
async function acknowledge({ config, random, control, history }, { hubs, caller, answer, acknowledger }) {
  if (!control.isCalm && random.happens(config.forgetShare)) return;
  acknowledger.cursor = answer.cursor;
  if (!random.happens(0.2)) return;
  const call = history.invoke(hubs.url, 'ack_messages', { agent: config.agent });
  try {
    await caller.call('ack_messages', { ids: answer.messages.map(({ id }) => id) });
    history.ok(call, {});
  } catch (error) {
    if (error instanceof Refused) history.fail(call, error.code);
    else history.unknown(call, reasonOf(error));
  }
}

function resultOf({ timedOut, waitedMs }) {
  return { timedOut, waitedMs };
}

function reasonOf(error) {
  if (error.message === 'aborted') return error.message;
  return error.cause?.code ?? error.code ?? error.message;
}
