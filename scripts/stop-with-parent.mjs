// npm hands a SIGTERM to the shell it started us with, and most shells die of it without passing it on: the hub would
// run on with nobody to stop it. So when the parent is gone, the hub gets the signal from here.
const checkEveryMs = 250;

/** Call it when the long work before the hub is done, with the `process.ppid` of the start. */
export function stopWithParent(parentPid) {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      // The hub's own listener does the stopping; before it is there, a signal ends the process as ever.
      if (!isStopping && process.listenerCount(signal) === 1) process.exit(1);
      isStopping = true;
    });
  }
  const timer = setInterval(() => {
    if (process.ppid === parentPid) return;
    clearInterval(timer);
    // A signal to the whole process group has reached the hub already: a second one might cut its goodbye short.
    if (!isStopping) process.kill(process.pid, 'SIGTERM');
  }, checkEveryMs);
  timer.unref();
}
