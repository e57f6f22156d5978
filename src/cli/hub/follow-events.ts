// Follows a session's messages through GET /v1/events, and resumes after a connection loss.
import { setTimeout as sleep } from 'node:timers/promises';
import { readReply } from '../../client/read-reply.js';
import { hubUnreachable, lostOutcomeOf } from '../../client/unreachable.js';
import { errorKinds, HubError } from '../../contract/errors.js';
import type { Message } from '../../contract/message.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { authorizationOf } from '../arguments/key-choice.js';
import { forCommandLine } from './connect.js';
import { findHub } from './find-hub.js';

export interface Following {
  readonly choice: HubChoice;
  /** The seq to start after; only new messages if absent. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the feed opens, first and after each reconnect. */
  readonly onOpen?: (url: string) => void;
  readonly onLost?: () => void;
}

const retryMs = 250;
/** The hub sends a keep-alive every 15 s; after three missing ones the connection counts as dead. */
const silenceMsMax = 45_000;

/** Ends only by its signal. Throws if the first connection fails; later it reconnects. */
export async function* followEvents(following: Following): AsyncGenerator<Message> {
  const { choice, signal, onOpen, onLost } = following;
  const position: { after?: string | undefined } = { after: following.after };
  let hadHub = false;
  let isOpen = false;
  const isOver = () => signal?.aborted === true;
  while (!isOver()) {
    try {
      const url = findHub(choice);
      const feed = await openFeed(url, { choice, after: position.after, signal });
      [hadHub, isOpen] = [true, true];
      for await (const { id, event, data } of eventsIn(feed)) {
        if (id !== '') position.after = id;
        if (event === 'hello') onOpen?.(url);
        // The hub follows this contract.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        else if (event === 'message') yield JSON.parse(data) as Message;
      }
    } catch (error) {
      if (isOver()) return;
      if (!hadHub || !isTemporary(error)) throw error instanceof HubError ? forCommandLine(error, choice) : error;
    }
    if (isOpen) onLost?.();
    isOpen = false;
    await sleep(retryMs, undefined, { signal }).catch(() => {});
  }
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof HubError)) return true;
  return (
    lostOutcomeOf(error) !== undefined || (error.code !== 'HUB_UNREACHABLE' && errorKinds[error.code].retry === 'later')
  );
}

interface Feed {
  readonly body: AsyncIterable<Uint8Array>;
  /** Called whenever data arrives. */
  readonly keepAlive: () => void;
  readonly close: () => void;
}

async function openFeed(
  url: string,
  { choice, after, signal }: { choice: HubChoice; after: string | undefined; signal: AbortSignal | undefined },
): Promise<Feed> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMsMax);
  const close = () => clearTimeout(timer);
  let response: Response;
  try {
    response = await fetch(`${url}/v1/events`, {
      headers: {
        ...(choice.session === undefined ? {} : { 'coterie-session': choice.session }),
        ...(choice.agent === undefined ? {} : { 'coterie-agent': choice.agent }),
        ...authorizationOf(choice.key),
        ...(after === undefined ? {} : { 'last-event-id': after }),
      },
      signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]),
    });
    if (response.ok && response.body !== null) return { body: response.body, keepAlive: () => timer.refresh(), close };
  } catch (cause) {
    close();
    throw hubUnreachable(url, 'events', cause);
  }
  close();
  readReply(url, { status: response.status, body: await response.text() });
  throw new HubError('HUB_UNREACHABLE', `The server at ${url} is not a hub.`, { hint: 'Check the URL.' });
}

interface FeedEvent {
  id: string;
  event: string;
  data: string;
}

/** Server-sent events: one field per line, a blank line after each event; lines that begin with a colon are comments. */
async function* eventsIn({ body, keepAlive, close }: Feed): AsyncGenerator<FeedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const bytes of body) {
      keepAlive();
      const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const event = eventOf(part);
        if (event.id !== '' || event.event !== '') yield event;
      }
    }
  } finally {
    close();
  }
}

function eventOf(part: string): FeedEvent {
  const event: FeedEvent = { id: '', event: '', data: '' };
  for (const line of part.split('\n')) {
    const [, name, value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
    if (name === 'id' || name === 'event' || name === 'data') event[name] = value;
  }
  return event;
}
