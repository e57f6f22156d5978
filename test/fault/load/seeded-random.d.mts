// Types of seeded-random.mjs, which plain node must be able to run.
export class SeededRandom {
  constructor(...seeds: (string | number)[]);
  next(): number;
  between(min: number, max: number): number;
  whole(min: number, max: number): number;
  happens(share: number): boolean;
  pick<Item>(list: readonly Item[]): Item;
}
