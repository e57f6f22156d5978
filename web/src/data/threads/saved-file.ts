// A file that is made in the page, piece by piece. The page holds all of it; the command line has no such bound.

export class TooLong extends Error {}

const charsMax = 64 * 1024 * 1024;

export function requireRoom(chars: number): void {
  if (chars > charsMax) throw new TooLong(`It has more than ${charsMax / 1024 / 1024} million characters.`);
}

/** Pieces that are joined at once: what is in a blob the browser may keep on disk. */
const joinedMax = 500;

export class SavedFile {
  readonly #type: string;
  #parts: (string | Blob)[] = [];
  #chars = 0;

  constructor(type: string) {
    this.#type = type;
  }

  add(...texts: string[]): void {
    this.#parts.push(...texts);
    this.#chars += texts.reduce((sum, text) => sum + text.length, 0);
    requireRoom(this.#chars);
    if (this.#parts.length > joinedMax) this.#parts = [new Blob(this.#parts)];
  }

  blob(): Blob {
    return new Blob(this.#parts, { type: this.#type });
  }
}
