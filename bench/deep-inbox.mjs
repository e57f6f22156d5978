// A filtered wait on an inbox that many senders have filled through the hub's own door, right after the last answer; then as
// the first call of the hub that is started again. Beside it the same wait on an empty inbox, the longest turn of the
// writer, and how fast the senders were.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hubCli, withHubOn } from './support/processes.mjs';
import { quantile, RawConnection } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';

const copies = Number(process.env['COPIES'] ?? 200_000);
const senders = Number(process.env['SENDERS'] ?? 64);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const cli = process.env['CLI'] ?? hubCli;
const probe = new URL('./support/loop-delay.mjs', import.meta.url).pathname;

/** One in a thousand is from `rare`. */
const filters = { 'matches one in a thousand': { from: 'rare' }, 'matches none': { from: 'other' } };

const figures = [];
for (let round = 0; round < rounds; round++) {
  for (const [name, filter] of Object.entries(filters)) figures.push({ name, ...(await measure(filter)) });
}
printTable(
  ['wait', 'sends/s', 'right after the last answer, ms', 'longest turn of the writer, ms', 'an empty inbox, ms'],
  Object.keys(filters).map((name) => {
    const of = (figure) => spread(figures.filter((each) => each.name === name).map((each) => each[figure]));
    return [name, of('perSecond'), of('after'), of('writer'), of('empty')];
  }),
);
printTable(
  [
    'wait after a restart',
    'the first call, ms',
    'the first call, on an empty inbox, ms',
    'after calls of others, ms',
    'longest turn of the writer, ms',
  ],
  Object.keys(filters).map((name) => {
    const of = (figure) => spread(figures.filter((each) => each.name === name).map((each) => each[figure]));
    return [name, of('first'), of('firstEmpty'), of('warm'), of('writerAgain')];
  }),
);

async function measure(filter) {
  const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  const found = {};
  try {
    await onHub(data, async (url, stretches) => {
      for (const agentId of ['deep', 'busy', 'rare', 'other', 'idle'])
        await post(connect(url), 'register_agent', agentId, { agentId });
      const reader = connect(url);
      await warmUp(reader, filter);
      await stretches('reset');
      const begin = performance.now();
      await fill(url);
      found.perSecond = copies / ((performance.now() - begin) / 1000);
      found.after = await timedWait(reader, 'deep', filter);
      found.writer = (await stretches('reset')).writerTurn;
      found.empty = quantile(await repeated(() => timedWait(reader, 'idle', filter)), 0.5);
      reader.close();
    });
    for (const [figure, agent] of [
      ['first', 'deep'],
      ['firstEmpty', 'idle'],
    ]) {
      await onHub(data, async (url) => {
        const reader = connect(url);
        found[figure] = await timedWait(reader, agent, filter);
        reader.close();
      });
    }
    await onHub(data, async (url, stretches) => {
      const reader = connect(url);
      await warmUp(reader, filter);
      await stretches('reset');
      found.warm = await timedWait(reader, 'deep', filter);
      found.writerAgain = (await stretches('reset')).writerTurn;
      reader.close();
    });
    return found;
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

function onHub(data, use) {
  return withHubOn(
    data,
    (url, child) =>
      use(url, (asked) => {
        const answer = once(child, 'message');
        child.send(asked);
        return answer.then(([stretches]) => stretches);
      }),
    [],
    { cli, ipc: true, nodeArgs: ['--import', probe] },
  );
}

async function fill(url) {
  let left = copies;
  const send = async () => {
    const connection = connect(url);
    while (left > 0) {
      left -= 1;
      const sender = left % 1_000 === 0 ? 'rare' : 'busy';
      await post(connection, 'send_message', sender, { target: 'deep', content: 'one of many' });
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: senders }, send));
}

/** The first calls of a hub take longer, whatever they are: here those of an agent whose inbox is short. */
async function warmUp(connection, filter) {
  for (let call = 0; call < 50; call++) {
    await post(connection, 'send_message', 'rare', { target: 'idle', content: 'hello' });
    await post(connection, 'get_messages', 'idle', {});
    await timedWait(connection, 'idle', filter);
  }
}

async function timedWait(connection, agent, filter) {
  const begin = performance.now();
  const { at } = await post(connection, 'wait_for_mentions', agent, {
    ...filter,
    timeoutMs: 0,
    limit: 1,
    ack: 'manual',
  });
  return at - begin;
}

async function post(connection, operation, agent, input) {
  const answer = await connection.post(`/v1/${operation}`, { 'coterie-agent': agent }, JSON.stringify(input));
  if (!answer.text.startsWith('HTTP/1.1 200')) throw new Error(answer.text.slice(0, 400));
  return answer;
}

function connect(url) {
  return new RawConnection(new URL(url));
}

async function repeated(run) {
  const times = [];
  for (let round = 0; round < 50; round++) times.push(await run());
  return times;
}

function spread(values) {
  const digits = Math.max(...values) >= 1_000 ? 0 : 1;
  const [median, least, most] = [0.5, 0, 1].map((share) => quantile(values, share).toFixed(digits));
  return `${median} (${least}–${most})`;
}
