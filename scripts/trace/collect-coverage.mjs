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
const thread = isMainThread ? 'main' : 'worker';
if (isMainThread) {
  const files = { main: undefined, worker: undefined };
  const answer = () => {
    if (files.main === undefined || files.worker === undefined) return;
    process.send({ ...files });
    files.main = undefined;
    files.worker = undefined;
  };
  reports.addEventListener('message', ({ data }) => {
    files[data.thread] = data.files;
    answer();
  });
  process.on('message', () => {
    files.main = filesCalled();
    requests.postMessage('take');
  });
  process.channel.unref();
} else {
  requests.addEventListener('message', () => reports.postMessage({ thread, files: filesCalled() }));
}
