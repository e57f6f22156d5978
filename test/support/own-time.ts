// How long the hub itself took for something: a busy machine delays every timer and every call, and no promise speaks of that.

const pauseMs = 20;

/** Until `ended`, less the time by which timers and calls that need nothing of the hub were late meanwhile. */
export async function ownMsOf(url: string, ended: Promise<unknown>): Promise<number> {
  const started = performance.now();
  let [lateMs, turnAt, isOver] = [0, started, false];
  const lateInTurn = () => Math.max(0, performance.now() - turnAt - pauseMs);
  const watch = async () => {
    while (!isOver) {
      turnAt = performance.now();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      await (await fetch(`${url}/healthz`)).text();
      lateMs += lateInTurn();
    }
  };
  const watching = watch();
  await ended;
  const ms = performance.now() - started - lateMs - lateInTurn();
  isOver = true;
  await watching;
  return ms;
}
