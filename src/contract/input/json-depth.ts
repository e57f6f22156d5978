// Finds deep nesting and too many values without parsing, so that they never reach a parser, a validator or a serializer.

const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = [0x22, 0x5c, 0x7b, 0x5b, 0x7d, 0x5d];
const [comma, colon] = [0x2c, 0x3a];

export interface ShapeMax {
  depth: number;
  /** Keys, items and values, as counted by what separates them. */
  values: number;
}

/** What is wrong with the shape of this JSON, found in one pass over its bytes; undefined if nothing is. */
export function badShapeOf(bytes: Uint8Array, max: ShapeMax): 'deep' | 'many' | undefined {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index + 1);
    else if (byte === comma || byte === colon) {
      values += 1;
      if (values > max.values) return 'many';
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > max.depth) return 'deep';
      values += 1;
      if (values > max.values) return 'many';
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return undefined;
}

/** Bytes of a string checked one by one; the end of a longer string is found with indexOf, which is faster. */
const shortStringBytes = 256;

/** The index of the closing quote, or of the end of the input. */
function endOfString(bytes: Uint8Array, start: number): number {
  const near = Math.min(bytes.length, start + shortStringBytes);
  let index = start;
  for (; index < near; index++) {
    const byte = bytes[index];
    if (byte === quote) return index;
    if (byte === backslash) index += 1;
  }
  for (;;) {
    const found = bytes.indexOf(quote, index);
    if (found < 0) return bytes.length;
    // A quote after an odd number of backslashes is escaped.
    let before = found;
    while (before > index && bytes[before - 1] === backslash) before -= 1;
    if ((found - before) % 2 === 0) return found;
    index = found + 1;
  }
}
