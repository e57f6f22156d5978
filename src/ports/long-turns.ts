// Work of some milliseconds, such as parsing a large body, gets a turn of the event loop of its own: done in a row for many
// callers it would hold up everyone else. Node accepts one connection per turn, so while many arrive long work waits: each of
// its turns would delay all that are in line.
import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();
let arrivedAt = -Infinity;

/** Turns are shorter than that. */
const arrivalMs = 5;
/** Long work waits no longer for those who arrive. */
const heldMsMax = 100;

/** Resolves in a turn in which no other long work starts, with a turn for the others before it. */
export async function longTurn(): Promise<void> {
  const before = last;
  const mine = before.then(turnOfItsOwn);
  last = mine;
  await mine;
}

async function turnOfItsOwn(): Promise<void> {
  const since = performance.now();
  await nextTurn();
  await nextTurn();
  while (mustWait(since)) await nextTurn();
}

/** Call it for each new connection. */
export function noteArrival(): void {
  arrivedAt = performance.now();
}

/** Whether long work that is ready since then still waits for those who arrive. */
export function mustWait(since: number): boolean {
  const now = performance.now();
  return now - arrivedAt < arrivalMs && now - since < heldMsMax;
}
