// What a large picture does to everyone else: the longest that small sends had to wait while a 5 MB image is stored and
// delivered, beside the same without it, in turns against the same hub.
import { call, runScript, withHub } from './support/processes.mjs';
import { quantile, RawClient } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 20);
const imageBytes = Number(process.env['IMAGE_BYTES'] ?? 5 * 1024 * 1024);
const waitMs = 200;

await withHub(async (url) => {
  for (const agentId of ['ann', 'ben', 'eve', 'fay']) await call(url, 'register_agent', { agentId });
  const small = new RawClient(`${url}/mcp?agent=ann`);
  const figures = { alone: [], beside: [], stored: [], delivered: [] };
  for (let round = -1; round < rounds; round++) {
    // The process that passes the image is started for both; in the first turn its image is one byte.
    const alone = await smallSends(small, runScript('./pass-image.mjs', { url, waitMs, imageBytes: 1 }));
    const passed = runScript('./pass-image.mjs', { url, waitMs, imageBytes });
    const beside = await smallSends(small, passed);
    if (round < 0) continue;
    const { stored, delivered } = await passed;
    figures.alone.push(...alone);
    figures.beside.push(...beside);
    figures.stored.push(stored);
    figures.delivered.push(delivered);
  }
  small.close();
  printTable(
    ['', 'p50 ms', 'p99 ms', 'longest ms'],
    [
      row('small send', figures.alone),
      row(`small send, while ${(imageBytes / 1024 / 1024).toFixed(1)} MiB are stored and delivered`, figures.beside),
      row('the image, stored', figures.stored),
      row('the image, delivered', figures.delivered),
    ],
  );
});

function row(name, times) {
  return [name, ...[0.5, 0.99, 1].map((part) => quantile(times, part).toFixed(1))];
}

/** One after the other until the image is through: the longest is the longest gap in which nothing was sent. */
async function smallSends(client, image) {
  const state = { isOver: false };
  const over = image.finally(() => (state.isOver = true));
  const times = [];
  while (!state.isOver) {
    const started = performance.now();
    const { at } = await client.call('send_message', { target: 'ben', message: 'hello' });
    times.push(at - started);
  }
  await over;
  return times;
}
