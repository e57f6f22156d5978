// A follower of GET /v1/events, closed after the test.
import { expect } from 'vitest';
import { cleanUpAfter } from './clean-up.js';
import { eventually } from './eventually.js';

interface Event {
  id: string;
  /** Empty for a frame that only moves the position. */
  event: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

export interface Follower {
  events: Event[];
  seqs(): number[];
  texts(): string[];
  /** Of the last frame. */
  position(): number;
  /** The hub has ended it. */
  isOver(): boolean;
  close(): void;
}

export interface Following {
  session?: string;
  key?: string;
  lastEventId?: number | undefined;
  path?: string;
}

/** Follows the stream until closed; resolves once it has said hello. */
export async function followEvents(
  url: string,
  { session, key, lastEventId, path = '/v1/events' }: Following,
): Promise<Follower> {
  const abort = new AbortController();
  const response = await fetch(`${url}${path}`, {
    signal: abort.signal,
    headers: {
      ...(session === undefined ? {} : { 'coterie-session': session }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events: Event[] = [];
  let isOver = false;
  const messages = () => events.filter(({ event }) => event === 'message').map(({ data }) => data);
  const follower = {
    events,
    seqs: () => messages().map(({ seq }) => seq),
    texts: () => messages().map(({ content }) => content[0].text),
    position: () => Number(events.at(-1)?.id),
    isOver: () => isOver,
    close: () => abort.abort(),
  };
  cleanUpAfter(follower.close);
  void read(response, events).finally(() => (isOver = true));
  await eventually('hello', () => events[0]?.event === 'hello');
  return follower;
}

/** Ends quietly when the follower closes or the hub cuts it. */
async function read(response: Response, events: Event[]): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk, { stream: true });
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      events.push(...frames.filter((frame) => !frame.startsWith(':')).map(parseFrame));
    }
  } catch {
    // Aborted.
  }
}

function parseFrame(frame: string): Event {
  const fields = new Map(
    frame.split('\n').map((line) => [line.split(': ', 1)[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
  );
  return {
    id: fields.get('id') ?? '',
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}
