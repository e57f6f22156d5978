// Long work of a page in turns, so that it is drawn and answers meanwhile.

const turnMs = 10;

/** Each step of the work should take a few milliseconds at most. */
export async function inTurns<Result>(work: Iterator<void, Result>): Promise<Result> {
  for (let started = performance.now(); ;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - started < turnMs) continue;
    await nextTurn();
    started = performance.now();
  }
}

/** Not by a timer: in a tab that is not seen it would take a second. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resume) => {
    port1.addEventListener('message', () => {
      port1.close();
      resume();
    });
    port1.start();
    port2.postMessage(null);
  });
}
