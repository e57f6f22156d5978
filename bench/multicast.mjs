// What a copy costs: one send to a group of 1, 10, 100 and 1,000 members, beside direct sends to one agent each.
// The two run in turns against the same hub, so that a noisy machine is noisy for both.
import { call, runLoad, withHub } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';
import { inTurns, median, spread } from './support/turns.mjs';

const sizes = (process.env['SIZES'] ?? '1,10,100,1000').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const runMs = Number(process.env['RUN_MS'] ?? 3_000);
const connections = 16;

const rows = [];
for (const size of sizes) rows.push(await withHub((url) => measure(url, size)));
printTable(
  ['group of', 'sends/s', 'copies/s', 'µs per copy', 'direct sends/s', 'µs per direct send', 'copy : direct send'],
  rows,
);

async function measure(url, size) {
  const members = Array.from({ length: size }, (_, index) => `r${index}`);
  for (const agentId of ['ann', ...members]) await call(url, 'register_agent', { agentId });
  await call(url, 'set_group', { name: 'crowd', members });
  const { crowd, direct } = await inTurns(
    { crowd: () => sendRate(url, ['crowd']), direct: () => sendRate(url, members) },
    rounds,
  );
  const perCopy = crowd.map((sends) => 1e6 / (sends * size));
  const perDirect = direct.map((sends) => 1e6 / sends);
  const shares = perCopy.map((micros, round) => micros / perDirect[round]);
  return [
    size,
    spread(crowd),
    Math.round(median(crowd) * size),
    spread(perCopy, 1),
    spread(direct),
    spread(perDirect, 1),
    spread(shares, 3),
  ];
}

/** Sends per second, to the targets in turn. */
async function sendRate(url, targets) {
  const bodies = targets.map((target) => toolCallBody('send_message', { target, message: 'hello @n' }));
  const load = { url: `${url}/mcp?agent=ann`, headers: toolCallHeaders('send_message'), bodies, connections };
  const { perSecond } = await runLoad({ ...load, warmMs: 500, runMs, mustContain: 'Message sent successfully' });
  return perSecond;
}
