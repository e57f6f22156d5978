// Preloaded into a hub (`node --import`), in its main thread and in its writer: notes the longest time each of them was
// busy without a break, and of the writer also its longest turn: one batch with what it does beside it, or one step while it
// is idle. A call waits for one turn, not for the others that were in line before a timer. The bench asks by IPC; the threads answer over a
// channel between them.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread, parentPort, workerData } from 'node:worker_threads';

const monitor = monitorEventLoopDelay({ resolution: 1 });
monitor.enable();
const channel = new BroadcastChannel('loop-delay');
channel.unref();

const longestMs = () => monitor.max / 1e6;

if (isMainThread) {
  let writers = { ms: 0, turn: 0 };
  channel.addEventListener('message', ({ data }) => {
    if (data.ms !== undefined) writers = data;
  });
  process.on('message', (asked) => {
    const main = longestMs();
    channel.postMessage({ asked });
    // Long enough for the writer to answer; nothing is measured meanwhile.
    setTimeout(() => {
      if (asked === 'reset') monitor.reset();
      process.send?.({ main, writer: writers.ms, writerTurn: writers.turn });
    }, 50);
  });
  process.channel?.unref();
} else if (workerData?.storeMaxBytes !== undefined) {
  // The writer, by what it is started with: no one waits for the other workers.
  let turn = 0;
  const timed = (run) =>
    function (...given) {
      const begin = performance.now();
      run.apply(this, given);
      turn = Math.max(turn, performance.now() - begin);
    };
  const { setImmediate } = globalThis;
  globalThis.setImmediate = (run, ...given) => setImmediate(timed(run), ...given);
  const listen = parentPort.on.bind(parentPort);
  parentPort.on = (event, run) => listen(event, event === 'message' ? timed(run) : run);
  channel.addEventListener('message', ({ data }) => {
    if (data.asked === undefined) return;
    channel.postMessage({ ms: longestMs(), turn });
    if (data.asked !== 'reset') return;
    monitor.reset();
    turn = 0;
  });
}
