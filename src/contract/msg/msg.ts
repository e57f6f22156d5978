// One message of an agent's own conversation, with a builder and JSON conversion. Reads the hub's messages too.
import type { ContentBlock } from '../content-block.js';
import type { Role } from '../message.js';
import { blocksOfType, getTextContent, hasToolCall, type BlockOf } from './extract.js';
import { readMessage, type GivenMessage } from './read-messages.js';

type RoleName = Role | Lowercase<Role>;

export interface MsgFields {
  name?: string | undefined;
  /** Default ASSISTANT; TOOL if all blocks are tool results. */
  role?: RoleName | undefined;
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

  /** Parses an object or its JSON text. Errors name their path. */
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

  role(role: RoleName): this {
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

/** `Array.isArray` does not narrow readonly arrays. */
function isList(content: ContentBlock | readonly ContentBlock[]): content is readonly ContentBlock[] {
  return Array.isArray(content);
}

function defaultRole(content: readonly ContentBlock[]): Role {
  return content.length > 0 && content.every(({ type }) => type === 'tool_result') ? 'TOOL' : 'ASSISTANT';
}
