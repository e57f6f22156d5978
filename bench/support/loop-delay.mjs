// Preloaded into a hub (`node --import`), in its main thread and in its writer: notes the longest time each of them was
// busy without a break. The bench asks by IPC; the threads answer over a channel between them.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';

const monitor = monitorEventLoopDelay({ resolution: 1 });
monitor.enable();
const channel = new BroadcastChannel('loop-delay');
channel.unref();

const longestMs = () => monitor.max / 1e6;

if (isMainThread) {
  let writersLongest = 0;
  channel.addEventListener('message', ({ data }) => {
    if (data.ms !== undefined) writersLongest = data.ms;
  });
  process.on('message', (asked) => {
    const main = longestMs();
    channel.postMessage({ asked });
    // Long enough for the writer to answer; nothing is measured meanwhile.
    setTimeout(() => {
      if (asked === 'reset') monitor.reset();
      process.send?.({ main, writer: writersLongest });
    }, 50);
  });
  process.channel?.unref();
} else if (workerData?.storeMaxBytes !== undefined) {
  // The writer, by what it is started with: no one waits for the other workers.
  channel.addEventListener('message', ({ data }) => {
    if (data.asked === undefined) return;
    channel.postMessage({ ms: longestMs() });
    if (data.asked === 'reset') monitor.reset();
  });
}
