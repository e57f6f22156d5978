// Long work of a page in turns, so that it is drawn and answers meanwhile.

const turnMs = 10;

/** Each step of the work should take a few milliseconds at most. */
export async function inTurns<Result>(work: Iterator<void, Result>): Promise<Result> {
  for (let started = performance.now(); ;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - started < turnMs) continue;
    await new Promise((resume) => setTimeout(resume));
    started = performance.now();
  }
}
