// One message of an agent's own conversation: built, asked, written as JSON and read back. The hub's messages read as one.
import type { ContentBlock } from '../content-block.js';
import type { Role } from '../message.js';
import { blocksOfType, getTextContent, hasToolCall, type BlockOf } from './extract.js';
import { readMessage, type GivenMessage } from './read-messages.js';

type RoleWord = Role | Lowercase<Role>;

export interface MsgFields {
  name?: string | undefined;
  /** ASSISTANT when left out; TOOL when all blocks are tool results. */
  role?: RoleWord | undefined;
  content?: string | readonly ContentBlock[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  id?: string | undefined;
  /** ISO 8601. */
  timestamp?: string | undefined;
}

export interface MsgJson {
  name?: string;
  role: Role;
  content: ContentBlock[];
  metadata: Record<string, unknown>;
  id?: string;
  timestamp?: string;
  [other: string]: unknown;
}

export class Msg {
  readonly name: string | undefined;
  readonly role: Role;
  readonly content: readonly ContentBlock[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly #others: Readonly<Record<string, unknown>>;

  private constructor(given: GivenMessage) {
    const { name, role, content, metadata, id, timestamp, ...others } = given;
    this.name = name;
    this.role = role ?? defaultRole(content);
    this.content = content;
    this.metadata = metadata ?? {};
    this.id = id;
    this.timestamp = timestamp;
    this.#others = others;
  }

  static of(fields: MsgFields): Msg {
    const given = Object.entries({ content: [], ...fields }).filter(([, value]) => value !== undefined);
    return new Msg(readMessage(Object.fromEntries(given)));
  }

  static builder(): MsgBuilder {
    return new MsgBuilder((fields) => Msg.of(fields));
  }

  /** Reads an object, or the text of one. Faults are named by their path. */
  static fromJSON(json: unknown): Msg {
    return new Msg(readMessage(typeof json === 'string' ? JSON.parse(json) : json));
  }

  get textContent(): string {
    return getTextContent(this);
  }

  /** All text blocks, joined by newlines. */
  getTextContent(): string {
    return getTextContent(this);
  }

  getContent(): readonly ContentBlock[] {
    return this.content;
  }

  blocksOfType<Type extends ContentBlock['type']>(type: Type): BlockOf<Type>[] {
    return blocksOfType(this, type);
  }

  hasToolCall(): boolean {
    return hasToolCall(this);
  }

  toJSON(): MsgJson {
    const { name, role, content, metadata, id, timestamp } = this;
    return {
      ...(name === undefined ? {} : { name }),
      role,
      content: [...content],
      metadata: { ...metadata },
      ...(id === undefined ? {} : { id }),
      ...(timestamp === undefined ? {} : { timestamp }),
      ...this.#others,
    };
  }
}

export class MsgBuilder {
  readonly #fields: MsgFields = {};
  readonly #finish: (fields: MsgFields) => Msg;

  constructor(finish: (fields: MsgFields) => Msg) {
    this.#finish = finish;
  }

  name(name: string): this {
    this.#fields.name = name;
    return this;
  }

  role(role: RoleWord): this {
    this.#fields.role = role;
    return this;
  }

  /** One text block. */
  textContent(text: string): this {
    this.#fields.content = text;
    return this;
  }

  content(content: string | ContentBlock | readonly ContentBlock[]): this {
    this.#fields.content = typeof content === 'string' || isList(content) ? content : [content];
    return this;
  }

  metadata(metadata: Record<string, unknown>): this {
    this.#fields.metadata = metadata;
    return this;
  }

  id(id: string): this {
    this.#fields.id = id;
    return this;
  }

  timestamp(timestamp: string | Date): this {
    this.#fields.timestamp = typeof timestamp === 'string' ? timestamp : timestamp.toISOString();
    return this;
  }

  build(): Msg {
    return this.#finish(this.#fields);
  }
}

/** `Array.isArray` does not know lists that only can be read. */
function isList(content: ContentBlock | readonly ContentBlock[]): content is readonly ContentBlock[] {
  return Array.isArray(content);
}

function defaultRole(content: readonly ContentBlock[]): Role {
  return content.length > 0 && content.every(({ type }) => type === 'tool_result') ? 'TOOL' : 'ASSISTANT';
}
