// Preloaded with --import into every thread of a hub: counts function calls, and reports them when asked over a channel.
import { Session } from 'node:inspector';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const session = new Session();
session.connect();
const post = (method, params) => {
  let result;
  // Synchronous, because the session runs in this thread.
  session.post(method, params, (error, answer) => {
    if (error !== null) throw new Error(error.message);
    result = answer;
  });
  return result;
};
post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** The files with a function that was called since the last call of this function. */
function filesCalled() {
  const { result } = post('Profiler.takePreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .map(({ url }) => url);
}

const requests = new BroadcastChannel('coverage requests');
const reports = new BroadcastChannel('coverage reports');
requests.unref();
reports.unref();
if (isMainThread) {
  // The hub has several threads beside this one; each says that it has started.
  let threads = 0;
  let awaited = 0;
  let files = { main: [], worker: [] };
  reports.addEventListener('message', ({ data }) => {
    if (data === 'started') {
      threads += 1;
      return;
    }
    files.worker.push(...data);
    awaited -= 1;
    if (awaited === 0) process.send(files);
  });
  process.on('message', () => {
    files = { main: filesCalled(), worker: [] };
    awaited = threads;
    requests.postMessage('take');
  });
  process.channel.unref();
} else {
  reports.postMessage('started');
  requests.addEventListener('message', () => reports.postMessage(filesCalled()));
}
