// Calls the hub's operations from a program. Uses only `fetch`, so that it runs in browsers too.
import type { z } from 'zod';
import { clientIdHeader, clientTitleHeader, shortTitle, unpromptedHeader } from '../contract/client-headers.js';
import type { GivenContent } from '../contract/content-block.js';
import type { Msg } from '../contract/msg/msg.js';
import type { OutputOf } from '../contract/operation.js';
import type { operations } from '../contract/operations/index.js';
import { postByFetch, type Post } from './post.js';
import { readReply } from './read-reply.js';
import { hubUnreachable } from './unreachable.js';
import { requestInSlices } from './wait-in-slices.js';
import { busyMsDefault, repeatWhileBusy } from './while-busy.js';
import type { Sealing } from './sealed/index.js';
import { withContent } from './with-content.js';
import { withoutEndSlashes } from '../contract/base-url.js';

type Operations = typeof operations;
type ByName = { [Key in keyof Operations as Operations[Key]['name']]: Operations[Key] };

export type OperationName = keyof ByName;
export type CallInput<Name extends OperationName> = WithMsg<z.input<ByName[Name]['input']>>;
export type CallOutput<Name extends OperationName> = OutputOf<ByName[Name]>;

/** A `Msg` is accepted where content is due; its blocks are sent. Name, role and id are those of the caller. */
type WithMsg<Fields> = {
  [Field in keyof Fields]: GivenContent extends Fields[Field] ? Fields[Field] | Msg : Fields[Field];
};

export interface HubClientOptions {
  /** The URL the hub prints when it is ready, e.g. http://127.0.0.1:4100 */
  url: string;
  /** The calling agent, registered by its first call. */
  agent?: string;
  session?: string;
  /** For a hub that has keys. The program reads it from its environment or a secret store. */
  key?: string | undefined;
  /** Distinguishes two programs that act as one agent. */
  clientId?: string;
  /** The name of the client that this program speaks for, once it is known. */
  clientTitle?: () => string | undefined;
  /** Token budget of one answer, for a program that passes answers on to a model. Long bodies are truncated. */
  resultTokens?: number;
  /** Encrypts questions and alerts here, before the hub sees them: `new Sealing({…})`. */
  sealing?: Pick<Sealing, 'perform' | 'open'>;
  /** How long a call is repeated while the hub answers BUSY, which does nothing. 0: not at all; 30 s if not given. */
  busyMs?: number;
  /** Replaces `fetch`. */
  post?: Post;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface RequestOptions extends CallOptions {
  /** How long the hub may hold this request; a longer wait is clamped and reports `clampedToMs`. */
  waitMsMax?: number | undefined;
  /** This program calls by itself, not for its agent: the call confirms no wake. */
  isUnprompted?: boolean | undefined;
}

export class HubClient {
  readonly url: string;
  readonly #agent: string | undefined;
  readonly #headers: Record<string, string>;
  readonly #post: Post;
  readonly #busyMs: number;
  readonly #sealing: HubClientOptions['sealing'];
  readonly #clientTitle: () => string | undefined;
  /** Cursors of answers returned by the methods below and not acknowledged yet. */
  #unacknowledged: string[] = [];

  constructor(options: HubClientOptions) {
    const { url, agent, session, key, clientId, resultTokens, post = postByFetch } = options;
    this.#clientTitle = options.clientTitle ?? (() => undefined);
    this.url = withoutEndSlashes(url);
    this.#agent = agent;
    this.#sealing = options.sealing;
    this.#post = post;
    this.#busyMs = options.busyMs ?? busyMsDefault;
    this.#headers = {
      'content-type': 'application/json',
      ...(agent === undefined ? {} : { 'coterie-agent': agent }),
      ...(session === undefined ? {} : { 'coterie-session': session }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(clientId === undefined ? {} : { [clientIdHeader]: clientId }),
      ...(resultTokens === undefined ? {} : { 'coterie-result-tokens': String(resultTokens) }),
    };
  }

  /** Performs an operation; throws the hub's HubError, or HUB_UNREACHABLE. Waits of any length are supported. */
  async call<Name extends OperationName>(
    operation: Name,
    input: CallInput<Name>,
    options: CallOptions = {},
  ): Promise<CallOutput<Name>> {
    const answer = await this.#sealed(operation, input, options);
    // The hub follows this contract; validating again would refuse fields that a newer hub adds.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return answer as CallOutput<Name>;
  }

  async #sealed(
    operation: string,
    input: Record<string, unknown>,
    options: CallOptions,
  ): Promise<Record<string, unknown>> {
    const sealing = this.#sealing;
    if (sealing === undefined) return this.#inSlices(operation, input, options);
    const send = (name: string, fields: Record<string, unknown>) => this.request(name, fields, options);
    const sealed = await sealing.perform(send, { operation, input });
    return sealed ?? sealing.open(send, operation, await this.#inSlices(operation, input, options));
  }

  #inSlices(operation: string, input: Record<string, unknown>, options: CallOptions): Promise<Record<string, unknown>> {
    return requestInSlices(
      (name, fields, waitMsMax) => this.request(name, fields, { ...options, waitMsMax }),
      operation,
      input,
    );
  }

  /** One call, repeated while the hub is busy: any operation, fields in any spelling. */
  request(
    operation: string,
    input: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    const call = { operation, input, busyMs: this.#busyMs, signal: options.signal };
    return repeatWhileBusy((fields) => this.#requestOnce(operation, fields, options), call);
  }

  async #requestOnce(
    operation: string,
    input: Record<string, unknown>,
    { signal, ...options }: RequestOptions,
  ): Promise<Record<string, unknown>> {
    signal?.throwIfAborted();
    const request = {
      url: `${this.url}/v1/${encodeURIComponent(operation)}`,
      headers: this.#headersFor(options),
      body: JSON.stringify(withContent(input)),
      signal,
    };
    let reply;
    try {
      reply = await this.#post(request);
    } catch (cause) {
      signal?.throwIfAborted();
      throw hubUnreachable(this.url, operation, cause);
    }
    return readReply(this.url, reply);
  }

  #headersFor({ waitMsMax, isUnprompted }: RequestOptions): Record<string, string> {
    const title = shortTitle(this.#clientTitle() ?? '');
    return {
      ...this.#headers,
      ...(title === undefined ? {} : { [clientTitleHeader]: encodeURIComponent(title) }),
      ...(waitMsMax === undefined ? {} : { 'coterie-wait-ms': String(waitMsMax) }),
      ...(isUnprompted === true ? { [unpromptedHeader]: '1' } : {}),
    };
  }

  /**
   * Waits for messages. The next call of this or `getMessages`, or `ack()`, acknowledges them. If the program dies
   * before that, they are redelivered.
   */
  waitForMentions(
    input: Omit<CallInput<'wait_for_mentions'>, 'ack' | 'cursor'> = {},
    options: CallOptions = {},
  ): Promise<CallOutput<'wait_for_mentions'>> {
    return this.#take('wait_for_mentions', input, options);
  }

  /** Reads unread messages; acknowledged like those of `waitForMentions`. */
  async getMessages(
    input: Omit<CallInput<'get_messages'>, 'ack'> = {},
    options: CallOptions = {},
  ): Promise<CallOutput<'get_messages'>> {
    const isOtherInbox = input.sessionId !== undefined && input.sessionId !== this.#agent;
    const isPeek = input.markAsRead === false || input.include === 'recent';
    if (!isOtherInbox && !isPeek) return this.#take('get_messages', input, options);
    await this.ack(options);
    return this.call('get_messages', input, options);
  }

  /** Acknowledges the returned messages: they become read. */
  async ack(options: CallOptions = {}): Promise<void> {
    await this.#settle(false, options);
  }

  /** Releases the returned messages: they are redelivered, marked. */
  async release(options: CallOptions = {}): Promise<void> {
    await this.#settle(true, options);
  }

  async #settle(release: boolean, options: CallOptions): Promise<void> {
    for (const cursor of Array.from(this.#unacknowledged)) {
      await this.call('ack_messages', { cursor, release }, options);
      this.#forget(cursor);
    }
  }

  /** Leases messages and acknowledges the previous answer in the same call. */
  async #take<Name extends 'wait_for_mentions' | 'get_messages'>(
    operation: Name,
    input: CallInput<Name>,
    options: CallOptions,
  ): Promise<CallOutput<Name>> {
    if (this.#unacknowledged.length > 1 || input.cursor !== undefined) await this.ack(options);
    const [cursor] = this.#unacknowledged;
    const acknowledging = cursor === undefined ? {} : { cursor };
    const answer = await this.call(operation, { ...input, ...acknowledging, ack: 'manual' }, options);
    if (cursor !== undefined) this.#forget(cursor);
    if (answer.cursor !== null) this.#unacknowledged.push(answer.cursor);
    return answer;
  }

  #forget(cursor: string): void {
    this.#unacknowledged = this.#unacknowledged.filter((kept) => kept !== cursor);
  }
}
