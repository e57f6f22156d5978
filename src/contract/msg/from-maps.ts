// JSON has no Map: ported code passes tool arguments and metadata as Maps, which become plain objects.

/** Text keys only, as in JSON. */
export type JsonMap = Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;

/** Converts Maps at any depth. */
export function fromMaps(value: unknown): unknown {
  if (value instanceof Map) return converted(value);
  if (Array.isArray(value)) return value.map(fromMaps);
  return isPlainObject(value) ? converted(Object.entries(value)) : value;
}

function converted(entries: Iterable<readonly [unknown, unknown]>): Record<string, unknown> {
  return Object.fromEntries(Array.from(entries, ([key, value]) => [String(key), fromMaps(value)]));
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
