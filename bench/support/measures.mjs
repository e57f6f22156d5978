// What bench/against.mjs can measure of a hub, each by a short run on a fresh folder; `cli` is the program of a build.
import { get } from 'node:http';
import { call, runLoad, withHub } from './processes.mjs';
import { quantile, RawClient } from './raw-client.mjs';
import { toolCallBody, toolCallHeaders } from './tool-call.mjs';

const runMs = Number(process.env['RUN_MS'] ?? 1_500);
/** A hub compiles its code and starts its threads in its first seconds; with 300 that is a large part of what is measured. */
const warmMs = Number(process.env['WARM_MS'] ?? 2_500);
const text = 'Auth fix complete. PR #42 open. Tests passing. @n';
const largeBytes = 250_000;

export const measures = {
  start: {
    title: 'from the command to a hub that is ready, on a fresh folder',
    unit: 'ms',
    digits: 0,
    measure: async (cli) => {
      const begin = performance.now();
      return withHub(() => performance.now() - begin, [], { cli });
    },
  },
  ...Object.fromEntries(
    [1, 16, 64].map((connections) => [
      `sends-${connections}`,
      {
        title: `durable send_message over MCP, ${connections} at once`,
        unit: '1/s',
        digits: 0,
        measure: (cli) => onHub(cli, async (url) => (await send(url, { connections })).perSecond),
      },
    ]),
  ),
  ...Object.fromEntries(
    [
      ['p50', 0.5],
      ['p99', 0.99],
    ].map(([name, share]) => [
      `wake-${name}`,
      {
        title: `from a send to the woken wait’s answer, ${name}`,
        unit: 'ms',
        digits: 2,
        measure: (cli) => onHub(cli, async (url) => quantile(await wakes(url, 400), share)),
      },
    ]),
  ),
  'sends-beside-searches': {
    title: 'durable send, 16 at once, beside 10 searchers of 20,000 messages, p99',
    unit: 'ms',
    digits: 1,
    measure: (cli) => onHub(cli, besideSearchers),
  },
  'filtered-read': {
    title: 'get_messages with a `type` that none of 20,000 unread messages has, p50',
    unit: 'ms',
    digits: 1,
    measure: (cli) => onHub(cli, filteredReads),
  },
  'parked-wait': {
    title: 'memory of a parked wait, 1,000 of them',
    unit: 'KB',
    digits: 1,
    measure: (cli) => onHub(cli, (url) => parkedWaits(url, 1_000), ['--expose-gc']),
  },
  'slow-pattern': {
    title: 'slowest /healthz while a thread with 5 texts of 240 KB of punctuation is formatted',
    unit: 'ms',
    digits: 0,
    measure: (cli) => onHub(cli, formattedThread),
  },
  'large-pages': {
    title: 'slowest /healthz while 8 callers read 100 messages of 250 KB each',
    unit: 'ms',
    digits: 0,
    measure: (cli) => onHub(cli, largePages),
  },
};

function onHub(cli, use, nodeArgs = []) {
  return withHub(
    async (url) => {
      for (const agentId of ['ann', 'ben', 'cyn', 'dan']) await call(url, 'register_agent', { agentId });
      return use(url);
    },
    [],
    { cli, nodeArgs },
  );
}

function send(url, load) {
  return runLoad({
    url: `${url}/mcp?agent=ann`,
    headers: toolCallHeaders('send_message'),
    bodies: ['ben', 'cyn', 'dan'].map((target) => toolCallBody('send_message', { target, message: text })),
    mustContain: 'Message sent successfully',
    warmMs,
    runMs,
    ...load,
  });
}

/** Sends until at least so many are stored. */
async function fill(url, count, input) {
  const body = toolCallBody('send_message', input);
  for (let sent = 0; sent < count;) {
    const { perSecond } = await send(url, { bodies: [body], connections: 64, warmMs: 0, runMs: 1_000 });
    sent += perSecond;
  }
}

async function wakes(url, rounds) {
  const [sender, reader] = ['ann', 'ben'].map((agent) => new RawClient(`${url}/mcp?agent=${agent}`));
  const times = [];
  for (let round = -50; round < rounds; round++) {
    const waiting = reader.call('wait_for_mentions', { timeoutMs: 20_000 });
    // Long enough for the wait to have read an empty inbox and parked.
    await pause(2);
    const sentAt = performance.now();
    const [, woken] = await Promise.all([sender.call('send_message', { target: 'ben', message: 'hello' }), waiting]);
    if (!woken.text.includes('hello')) throw new Error(`the wait was not woken by the message: ${woken.text}`);
    if (round >= 0) times.push(woken.at - sentAt);
  }
  for (const client of [sender, reader]) client.close();
  return times;
}

async function besideSearchers(url) {
  await fill(url, 20_000, { target: 'ben', message: text.repeat(20) });
  const searching = runLoad({
    url: `${url}/v1/search_messages`,
    headers: { 'coterie-agent': 'ann' },
    bodies: [JSON.stringify({ query: 'tests passing', limit: 20 })],
    connections: 10,
    warmMs: 300,
    runMs: runMs + 600,
  });
  const { p99 } = await send(url, { connections: 16 });
  await searching;
  return p99;
}

async function filteredReads(url) {
  await fill(url, 20_000, { target: 'ben', message: text });
  const times = [];
  for (let round = 0; round < 20; round++) {
    const begin = performance.now();
    const input = { message_type: 'HANDSHAKE', markAsRead: true };
    const { messages } = await call(url, 'get_messages', input, { 'coterie-agent': 'ben' });
    if (messages.length > 0) throw new Error('no message has this type');
    times.push(performance.now() - begin);
  }
  return quantile(times, 0.5);
}

async function parkedWaits(url, count) {
  const agents = Array.from({ length: count }, (_, index) => `w${index}`);
  for (const agentId of agents) await call(url, 'register_agent', { agentId });
  const before = await settled(url);
  const clients = agents.map((agent) => new RawClient(`${url}/mcp?agent=${agent}`));
  for (const client of clients) void client.call('wait_for_mentions', { timeoutMs: 600_000 });
  while ((await metric(url, 'coterie_waits_parked')) < count) await pause(50);
  const each = ((await settled(url)) - before) / count / 1024;
  for (const client of clients) client.close();
  return each;
}

async function formattedThread(url) {
  const input = { title: 'T', participants: ['ben'] };
  const { threadId } = await call(url, 'create_thread', input, { 'coterie-agent': 'ann' });
  for (let sent = 0; sent < 5; sent++)
    await call(url, 'send_message', { threadId, content: `:${'!'.repeat(240_000)}` }, { 'coterie-agent': 'ann' });
  return slowestHealth(url, () =>
    call(
      url,
      'get_thread',
      { threadId, format: { provider: 'gemini', mode: 'multiagent' } },
      { 'coterie-agent': 'ann' },
    ),
  );
}

async function largePages(url) {
  for (let sent = 0; sent < 100; sent++) {
    const input = { target: 'ben', message: `${sent} ${'x'.repeat(largeBytes)}` };
    await call(url, 'send_message', input, { 'coterie-agent': 'ann' });
  }
  const read = async () => {
    const response = await fetch(`${url}/v1/get_messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'coterie-agent': 'ben' },
      body: JSON.stringify({ limit: 100, markAsRead: false }),
    });
    await response.arrayBuffer();
  };
  return slowestHealth(url, () => Promise.all(Array.from({ length: 8 }, read)));
}

/** Asks all the time until `work` is done. */
async function slowestHealth(url, work) {
  const state = { slowest: 0, isDone: false };
  const asking = (async () => {
    while (!state.isDone) {
      const begin = performance.now();
      await new Promise((resolve, reject) => {
        get(`${url}/healthz`, { agent: false }, (response) => response.resume().once('end', resolve)).once(
          'error',
          reject,
        );
      });
      state.slowest = Math.max(state.slowest, performance.now() - begin);
      await pause(5);
    }
  })();
  await pause(50);
  await work();
  state.isDone = true;
  await asking;
  return state.slowest;
}

/** After a pause, so that garbage of what came before is not counted. */
async function settled(url) {
  await pause(2_000);
  return metric(url, 'coterie_resident_bytes');
}

async function metric(url, name) {
  const rows = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  return Number(rows.find((row) => row.startsWith(`${name} `))?.split(' ')[1]);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
