// Work on a list with a step after each item: who has other work may do it in between.

export function* eachInSteps<Item, Result>(
  items: readonly Item[],
  change: (item: Item, index: number) => Result,
): Generator<void, Result[]> {
  const changed: Result[] = [];
  for (const [index, item] of items.entries()) {
    changed.push(change(item, index));
    yield;
  }
  return changed;
}
