// Splits the client's bytes into lines. Of a line that is too long only its ends are kept, to find the id of the request.

export interface LongLine {
  bytes: number;
  /** Of the request in it; null if it was not found. */
  id: string | number | null;
}

/** Requests of some clients have the id at the beginning, those of the official library at the end. */
const endBytes = 1_024;
const scalar = String.raw`("(?:[^"\\]|\\.){0,200}"|-?\d{1,15})`;
const idAtStart = new RegExp(
  String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"method"\s*:\s*"[^"\\]{0,200}"\s*,\s*)?"id"\s*:\s*${scalar}\s*,`,
);
/** What is before the brace that ends the line is a member of the request itself. */
const idAtEnd = new RegExp(String.raw`"id"\s*:\s*${scalar}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

export class LineReader {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The ends of a line that is too long. */
  #long: { start: Buffer; end: Buffer } | undefined;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The lines that this chunk completes, with their newline. */
  *read(chunk: Buffer): Generator<Buffer | LongLine> {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, at + 1));
      from = at + 1;
      yield this.#take();
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  /** At the end of input: a long line that was not completed. */
  rest(): LongLine | undefined {
    if (this.#long === undefined) return undefined;
    const line = this.#take();
    return 'id' in line ? line : undefined;
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#long !== undefined) {
      this.#long.end = Buffer.concat([this.#long.end, part.subarray(-endBytes)]).subarray(-endBytes);
      return;
    }
    this.#parts.push(part);
    if (this.#bytes <= this.#bytesMax) return;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    // Copies: a part of the whole would keep it in memory.
    this.#long = { start: Buffer.from(whole.subarray(0, endBytes)), end: Buffer.from(whole.subarray(-endBytes)) };
  }

  #take(): Buffer | LongLine {
    const [parts, bytes, long] = [this.#parts, this.#bytes, this.#long];
    this.#parts = [];
    this.#bytes = 0;
    this.#long = undefined;
    return long === undefined ? Buffer.concat(parts) : { bytes, id: idIn(long) };
  }
}

function idIn({ start, end }: { start: Buffer; end: Buffer }): string | number | null {
  const found = idAtStart.exec(start.toString('utf8'))?.[1] ?? idAtEnd.exec(end.toString('utf8'))?.[1];
  if (found === undefined) return null;
  const id: unknown = JSON.parse(found);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
