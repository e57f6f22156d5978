// How long the hub itself took for something: a busy machine delays every timer and every call, and no promise speaks of that.

const pauseMs = 20;

/** Until `ended`, less the time by which timers and calls that need nothing of the hub were late meanwhile. */
export async function ownMsOf(url: string, ended: Promise<unknown>): Promise<number> {
  const started = performance.now();
  const state = { lateMs: 0, turnAt: started, isOver: false };
  const lateInTurn = () => Math.max(0, performance.now() - state.turnAt - pauseMs);
  const watch = async () => {
    while (!state.isOver) {
      state.turnAt = performance.now();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      await (await fetch(`${url}/healthz`)).text();
      state.lateMs += lateInTurn();
    }
  };
  const watching = watch();
  await ended;
  const ms = performance.now() - started - state.lateMs - lateInTurn();
  state.isOver = true;
  await watching;
  return ms;
}
