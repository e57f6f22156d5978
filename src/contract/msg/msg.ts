// One message of an agent's own conversation, with a builder and JSON conversion. Reads the hub's messages too.
import type { ContentBlock } from '../content-block.js';
import type { Role } from '../message.js';
import { defaultRole } from './default-role.js';
import { blocksOfType, getTextContent, hasToolCall, type BlockKind, type BlockOf } from './extract.js';
import { fromMaps, type JsonMap } from './from-maps.js';
import { badMessage, parseJson, readMessage, type GivenMessage } from './read-messages.js';

export const MsgRole = { SYSTEM: 'SYSTEM', USER: 'USER', ASSISTANT: 'ASSISTANT', TOOL: 'TOOL' } as const;
export type MsgRole = Role;

export type RoleName = Role | Lowercase<Role>;

export interface MsgFields {
  name?: string | undefined;
  /** Default USER. */
  role?: RoleName | undefined;
  content?: string | readonly ContentBlock[] | undefined;
  metadata?: JsonMap | undefined;
  /** Default: a random one. */
  id?: string | undefined;
  /** ISO 8601. Default: now. */
  timestamp?: string | undefined;
}

export interface MsgJson {
  name?: string;
  role: Role;
  content: ContentBlock[];
  metadata: Record<string, unknown>;
  id?: string;
  timestamp?: string;
  sender?: string;
  [other: string]: unknown;
}

export class Msg {
  /** The sender's name. The hub leaves it out where it equals the agent's id. */
  readonly name: string | undefined;
  readonly role: Role;
  readonly content: readonly ContentBlock[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  /** The sender's agent id, in a message of the hub. */
  readonly sender: string | undefined;
  readonly #others: Readonly<Record<string, unknown>>;

  private constructor(given: GivenMessage) {
    const { name, role, content, metadata, id, timestamp, sender, ...others } = given;
    this.name = name ?? sender;
    this.role = role ?? defaultRole(content);
    this.content = content;
    this.metadata = metadata ?? {};
    this.id = id;
    this.timestamp = timestamp;
    this.sender = sender;
    this.#others = others;
  }

  /** A new message; the defaults are those of the builder. */
  static of({ metadata = {}, ...fields }: MsgFields): Msg {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const defaults = { role: MsgRole.USER, content: [], id: randomId(), timestamp: new Date().toISOString() };
    return new Msg(readMessage({ ...defaults, ...given, metadata: fromMaps(metadata) }));
  }

  static builder(): MsgBuilder {
    return new MsgBuilder((fields) => Msg.of(fields));
  }

  /** Parses an object or its JSON text. Errors name their path. */
  static fromJSON(json: unknown): Msg {
    return new Msg(readMessage(typeof json === 'string' ? parseJson(json) : json));
  }

  get textContent(): string {
    return getTextContent(this);
  }

  /** All text blocks, joined by newlines. */
  getTextContent(): string {
    return getTextContent(this);
  }

  getName(): string | undefined {
    return this.name;
  }

  getRole(): MsgRole {
    return this.role;
  }

  getId(): string | undefined {
    return this.id;
  }

  /** ISO 8601. */
  getTimestamp(): string | undefined {
    return this.timestamp;
  }

  getMetadata(): Readonly<Record<string, unknown>> {
    return this.metadata;
  }

  getContent(): readonly ContentBlock[] {
    return this.content;
  }

  /** The blocks of one kind: `getContentBlocks(ToolUseBlock)`. */
  getContentBlocks<Type extends ContentBlock['type']>(kind: BlockKind<Type>): BlockOf<Type>[] {
    return blocksOfType(this, kind.type);
  }

  hasContentBlocks(kind: BlockKind<ContentBlock['type']>): boolean {
    return this.content.some(({ type }) => type === kind.type);
  }

  blocksOfType<Type extends ContentBlock['type']>(type: Type): BlockOf<Type>[] {
    return blocksOfType(this, type);
  }

  hasToolCall(): boolean {
    return hasToolCall(this);
  }

  toJSON(): MsgJson {
    const { name, role, content, metadata, id, timestamp, sender } = this;
    return {
      ...(name === undefined ? {} : { name }),
      role,
      content: [...content],
      metadata: { ...metadata },
      ...(id === undefined ? {} : { id }),
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(sender === undefined ? {} : { sender }),
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

  metadata(metadata: JsonMap): this {
    this.#fields.metadata = metadata;
    return this;
  }

  id(id: string): this {
    this.#fields.id = id;
    return this;
  }

  timestamp(timestamp: string | Date): this {
    this.#fields.timestamp = timestamp instanceof Date ? isoTime(timestamp) : timestamp;
    return this;
  }

  build(): Msg {
    return this.#finish(this.#fields);
  }
}

function isoTime(time: Date): string {
  if (Number.isNaN(time.getTime())) throw badMessage('timestamp', 'must be a valid date');
  return time.toISOString();
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(content: ContentBlock | readonly ContentBlock[]): content is readonly ContentBlock[] {
  return Array.isArray(content);
}

/** `crypto.randomUUID` is missing in pages that were not loaded over TLS. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
