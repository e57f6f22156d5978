// Reads a TOML file as a list of statements, as far as is needed to edit tables in place: keys and extents, no values.
import { byteOrderMark, lineAt, NotEditable } from './text.js';

export interface TomlStatement {
  readonly kind: 'table' | 'list-of-tables' | 'pair';
  /** Of a pair, within its table. */
  readonly key: readonly string[];
  /** The table that it is in, or that begins with it. */
  readonly table: readonly string[];
  readonly start: number;
  /** After the value, without a comment behind it. */
  readonly end: number;
  /** Of a pair. */
  readonly valueStart: number;
}

export function readToml(text: string): TomlStatement[] {
  const reader = new Reader(text);
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (;;) {
    reader.skipLines();
    const start = reader.at;
    if (start >= text.length) return statements;
    if (text[start] === '[') {
      const { key, isList } = reader.header();
      table = key;
      const kind = isList ? 'list-of-tables' : 'table';
      statements.push({ kind, key, table, start, end: reader.at, valueStart: start });
    } else {
      const key = reader.key('=');
      reader.skipBlanks();
      const valueStart = reader.at;
      reader.value();
      statements.push({ kind: 'pair', key, table, start, end: reader.at, valueStart });
    }
    reader.endOfLine();
  }
}

class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith(byteOrderMark)) this.at = 1;
  }

  wrong(problem: string): NotEditable {
    return new NotEditable(problem, lineAt(this.#text, this.at));
  }

  skipBlanks(): void {
    while (this.#text[this.at] === ' ' || this.#text[this.at] === '\t') this.at += 1;
  }

  /** Space, line breaks and comments. */
  skipLines(): void {
    for (;;) {
      if (/[ \t\r\n]/.test(this.#text[this.at] ?? '')) this.at += 1;
      else if (this.#text[this.at] === '#') this.at = this.#endOfLine();
      else return;
    }
  }

  endOfLine(): void {
    this.skipBlanks();
    if (this.#text[this.at] === '#') this.at = this.#endOfLine();
    if (this.at < this.#text.length && !/[\r\n]/.test(this.#text[this.at] ?? ''))
      throw this.wrong('expected the end of the line');
  }

  header(): { key: string[]; isList: boolean } {
    const isList = this.#text.startsWith('[[', this.at);
    this.at += isList ? 2 : 1;
    const key = this.key(']');
    if (isList) {
      if (this.#text[this.at] !== ']') throw this.wrong("expected ']]'");
      this.at += 1;
    }
    return { key, isList };
  }

  /** A dotted key, and the character that ends it. */
  key(end: '=' | ']'): string[] {
    const parts: string[] = [];
    for (;;) {
      this.skipBlanks();
      parts.push(this.#keyPart());
      this.skipBlanks();
      const next = this.#text[this.at];
      this.at += 1;
      if (next === end) return parts;
      if (next !== '.') {
        this.at -= 1;
        throw this.wrong(`expected '${end}' after a key`);
      }
    }
  }

  #keyPart(): string {
    const start = this.at;
    const quote = this.#text[start];
    if (quote === '"' || quote === "'") {
      this.#string(quote);
      const quoted = this.#text.slice(start, this.at);
      if (quote === "'") return quoted.slice(1, -1);
      try {
        // TOML has more escapes, which no key of ours has.
        return String(JSON.parse(quoted));
      } catch {
        return quoted;
      }
    }
    while (/[\w-]/.test(this.#text[this.at] ?? '')) this.at += 1;
    if (this.at === start) throw this.wrong('expected a key');
    return this.#text.slice(start, this.at);
  }

  value(): void {
    const start = this.at;
    let depth = 0;
    for (;;) {
      const one = this.#text[this.at];
      if (one === '"' || one === "'") this.#string(one);
      else if (one === '[' || one === '{') [depth, this.at] = [depth + 1, this.at + 1];
      else if ((one === ']' || one === '}') && depth > 0) [depth, this.at] = [depth - 1, this.at + 1];
      else if (depth > 0 && one !== undefined) {
        if (/[#\s]/.test(one)) this.skipInside();
        else this.at += 1;
        continue;
      } else if (one !== undefined && /[\w+.:-]/.test(one)) {
        // A number, a date, true or false.
        this.at += 1;
        continue;
      } else break;
      if (depth === 0) return;
    }
    if (depth > 0) {
      this.at = start;
      throw this.wrong('a list or an inline table does not end');
    }
    if (this.at === start) throw this.wrong('expected a value');
  }

  skipInside(): void {
    if (this.#text[this.at] === '#') this.at = this.#endOfLine();
    else this.at += 1;
  }

  #string(quote: string): void {
    const start = this.at;
    const isLong = this.#text.startsWith(quote.repeat(3), start);
    const end = isLong ? quote.repeat(3) : quote;
    for (let at = start + end.length; at < this.#text.length; at += 1) {
      if (quote === '"' && this.#text[at] === '\\') at += 1;
      else if (this.#text.startsWith(end, at)) {
        at += end.length;
        // A long text may end with quotes of its own.
        if (isLong) while (this.#text[at] === quote) at += 1;
        this.at = at;
        return;
      } else if (!isLong && this.#text[at] === '\n') break;
    }
    throw this.wrong('a text in quotes does not end');
  }

  #endOfLine(): number {
    const end = this.#text.indexOf('\n', this.at);
    return end === -1 ? this.#text.length : end;
  }
}
