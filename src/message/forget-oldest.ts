// Bounds a map that lives as long as the hub.

/** Entries leave in the order in which they came; one that is set again after a delete is the newest. */
export function forgetOldest(map: Map<unknown, unknown>, keptMax: number): void {
  for (const key of map.keys()) {
    if (map.size <= keptMax) return;
    map.delete(key);
  }
}
