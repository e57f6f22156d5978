// Asks a hub's /healthz and a bare server, side by side and from a process of its own, so that neither the test's own
// work nor a busy machine is taken for a stall of the hub: what the bare server took is subtracted, and so is the time for
// which the hub's main thread or this one was ready to run and had no processor. What remains counts as far as the hub's
// main thread was at work meanwhile: it may also have waited for threads of the garbage collector that had no processor.
import { readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';

const pauseMs = 20;

const bare = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
await new Promise((resolve) => bare.once('listening', resolve));
const healthz = process.argv[2] ?? '';
const hubPid = process.argv[3];
const bareUrl = `http://127.0.0.1:${bare.address().port}/`;

let [slowestMs, probes, failures] = [0, 0, 0];

function ask(url) {
  const started = performance.now();
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume().once('end', () => {
        resolve({ ms: performance.now() - started, isOk: response.statusCode === 200 });
      });
    });
    request.once('error', () => resolve({ ms: performance.now() - started, isOk: false }));
  });
}

/** For how long the main thread of a process has run, and waited for a processor, in all; undefined where it is not known. */
function timesOf(pid) {
  try {
    const [ranNs, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return { ranMs: Number(ranNs) / 1e6, waitedMs: Number(waitedNs) / 1e6 };
  } catch {
    return undefined;
  }
}

function readTimes() {
  return { hub: hubPid === undefined ? undefined : timesOf(hubPid), own: timesOf(process.pid) };
}

/** What of these milliseconds is due to the hub. */
function dueToHub(ms, before) {
  const after = readTimes();
  const grown = (who, name) => (after[who]?.[name] ?? 0) - (before[who]?.[name] ?? 0);
  const rest = ms - grown('own', 'waitedMs') - grown('hub', 'waitedMs');
  return after.hub === undefined ? rest : Math.min(rest, grown('hub', 'ranMs'));
}

const state = { isOver: false };
process.on('message', () => (state.isOver = true));
process.on('disconnect', () => process.exit());
process.send('ready');
// The probe that is under way at the end counts, too.
while (!state.isOver || probes === 0) {
  const before = readTimes();
  const [hub, server] = await Promise.all([ask(healthz), ask(bareUrl)]);
  probes += 1;
  if (!hub.isOk) failures += 1;
  slowestMs = Math.max(slowestMs, dueToHub(hub.ms - server.ms, before));
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
process.send({ slowestMs, probes, failures }, () => process.exit());
