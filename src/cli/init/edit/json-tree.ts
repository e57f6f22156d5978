// Reads JSON as people write it in settings, with comments and trailing commas, into a tree that knows where everything stands.
import { byteOrderMark, lineAt, NotEditable } from './text.js';

export interface JsonNode {
  readonly start: number;
  end: number;
  /** Of an object; the last of two equal keys counts, as for the clients. */
  members?: JsonMember[];
  /** Of a list. */
  items?: JsonNode[];
  /** Of anything else. */
  plain?: unknown;
}

export interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly value: JsonNode;
}

/** A reader that calls itself must not run out of stack. */
const depthMax = 100;

export function readJsonTree(text: string): JsonNode {
  const reader = new Reader(text);
  const root = reader.value(0);
  reader.skipSpace();
  if (reader.at < text.length) throw reader.wrong('there is more after the end of the JSON');
  return root;
}

/** As `JSON.parse` has it. */
export function valueOf(node: JsonNode): unknown {
  if (node.members !== undefined) {
    return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]));
  }
  return node.items === undefined ? node.plain : node.items.map(valueOf);
}

export function memberOf(node: JsonNode, key: string): JsonMember | undefined {
  return node.members?.findLast((member) => member.key === key);
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

  skipSpace(): void {
    this.at = endOfSpace(this.#text, this.at);
    if (this.#text.startsWith('/*', this.at)) throw this.wrong('a comment does not end');
  }

  value(depth: number): JsonNode {
    if (depth > depthMax) throw this.wrong(`more than ${depthMax} levels`);
    this.skipSpace();
    const first = this.#text[this.at];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#list(depth);
    const start = this.at;
    this.at = first === '"' ? this.#endOfString() : this.#endOfWord();
    return { start, end: this.at, plain: this.#parsed(start) };
  }

  #object(depth: number): JsonNode {
    const node = { start: this.at, end: 0, members: [] as JsonMember[] };
    this.at += 1;
    for (this.skipSpace(); this.#text[this.at] !== '}'; this.skipSpace()) {
      const start = this.at;
      if (this.#text[start] !== '"') throw this.wrong("expected a key in quotes, or '}'");
      this.at = this.#endOfString();
      const key = String(this.#parsed(start));
      this.skipSpace();
      if (this.#text[this.at] !== ':') throw this.wrong("expected ':' after a key");
      this.at += 1;
      node.members.push({ key, start, value: this.value(depth + 1) });
      this.#comma('}');
    }
    node.end = this.at += 1;
    return node;
  }

  #list(depth: number): JsonNode {
    const node = { start: this.at, end: 0, items: [] as JsonNode[] };
    this.at += 1;
    for (this.skipSpace(); this.#text[this.at] !== ']'; this.skipSpace()) {
      node.items.push(this.value(depth + 1));
      this.#comma(']');
    }
    node.end = this.at += 1;
    return node;
  }

  #comma(end: string): void {
    this.skipSpace();
    if (this.#text[this.at] === ',') this.at += 1;
    else if (this.#text[this.at] !== end) throw this.wrong(`expected ',' or '${end}'`);
  }

  #endOfString(): number {
    for (let at = this.at + 1; at < this.#text.length; at += 1) {
      const one = this.#text[at];
      if (one === '\\') at += 1;
      else if (one === '"') return at + 1;
      else if (one === '\n') break;
    }
    throw this.wrong('a text in quotes does not end');
  }

  #endOfWord(): number {
    let end = this.at;
    while (/[\w+.-]/.test(this.#text[end] ?? '')) end += 1;
    if (end === this.at)
      throw this.wrong(end < this.#text.length ? `unexpected ${this.#text[end]}` : 'it ends too early');
    return end;
  }

  #parsed(start: number): unknown {
    const part = this.#text.slice(start, this.at);
    try {
      return JSON.parse(part);
    } catch {
      this.at = start;
      throw this.wrong('this is not JSON');
    }
  }
}

/** The first place at or after `at` that is neither space nor comment. */
function endOfSpace(text: string, at: number): number {
  for (;;) {
    if (/\s/.test(text[at] ?? '')) at += 1;
    else if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end === -1) return at;
      at = end + 2;
    } else return at;
  }
}

/** Where the text before `to` ends that is more than white space: a value, a comma, a bracket or a comment. */
export function endOfText(text: string, to: number): number {
  while (/\s/.test(text[to - 1] ?? '')) to -= 1;
  return to;
}

/** Of the comma that follows a value, if one does. */
export function commaAfter(text: string, end: number): number | undefined {
  const at = endOfSpace(text, end);
  return text[at] === ',' ? at : undefined;
}
