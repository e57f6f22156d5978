// A load process: keeps `connections` busy with one request each, and reports calls per second and latencies.
// Raw sockets, so that the load costs less than what it measures. Run by the benches, not by hand.
import { connect } from 'node:net';

/**
 * @typedef {object} Load
 * @property {string} url where to POST
 * @property {string[]} [urls] instead of `url`: the connections are spread over them
 * @property {Record<string, string>} headers
 * @property {string[]} bodies taken in turn; `@n` in a body becomes a number that never repeats
 * @property {number} connections
 * @property {number} warmMs
 * @property {number} runMs
 * @property {string} [mustContain] what every answer must contain
 */

process.once('message', (/** @type {Load} */ load) => {
  run(load).then(
    (figures) => {
      process.send?.(figures);
      process.disconnect();
    },
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});

/** @param {Load} load */
async function run(load) {
  const targets = (load.urls ?? [load.url]).map((url) => new URL(url));
  const latencies = [];
  const state = { calls: 0, isMeasuring: false, isOver: false, number: 0, failed: '' };
  const lines = Object.entries(load.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const headOf = ({ pathname, search, host }) =>
    `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}content-type: application/json\r\n`;

  const nextRequest = (head) => {
    state.number += 1;
    const body = (load.bodies[state.number % load.bodies.length] ?? '').replaceAll('@n', String(state.number));
    return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };

  const connection = (_, index) =>
    new Promise((resolve, reject) => {
      const target = targets[index % targets.length];
      const head = headOf(target);
      const socket = connect(Number(target.port), target.hostname);
      socket.setNoDelay(true);
      let buffered = '';
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(nextRequest(head));
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        buffered += chunk.latin1Slice();
        const answer = takeAnswer(buffered);
        if (answer === undefined) return;
        buffered = '';
        if (load.mustContain !== undefined && !answer.includes(load.mustContain)) state.failed = answer;
        if (state.isMeasuring) {
          state.calls += 1;
          latencies.push(performance.now() - sentAt);
        }
        if (!state.isOver) return send();
        socket.destroy();
        resolve(undefined);
      });
    });

  const connections = Array.from({ length: load.connections }, connection);
  await pause(load.warmMs);
  state.isMeasuring = true;
  const begin = performance.now();
  await pause(load.runMs);
  state.isMeasuring = false;
  const seconds = (performance.now() - begin) / 1000;
  state.isOver = true;
  await Promise.all(connections);
  if (state.failed !== '') throw new Error(`an answer was not as expected: ${state.failed.slice(0, 400)}`);
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? 0;
  return { perSecond: state.calls / seconds, p50: at(0.5), p99: at(0.99) };
}

/** One whole answer, by content-length or by the end of a chunked body. */
function takeAnswer(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) return text.endsWith('0\r\n\r\n') ? text : undefined;
  return text.length >= end + 4 + Number(length) ? text : undefined;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
