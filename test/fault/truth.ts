// Reads a whole session back at the end of a run: every message in order, every thread, where every copy stands.
import { get } from 'node:http';
import { call } from '../support/http-call.js';

export interface TruthMessage {
  id: string;
  seq: number;
  uid?: string;
  sender: string;
  threadId?: string;
}

export interface TruthReceipt {
  messageId: string;
  recipient: string;
  state: string;
  reason?: string;
}

/** What the hub says is so. */
export interface Truth {
  /** As the feed tells them from its beginning. */
  messages: TruthMessage[];
  receipts: TruthReceipt[];
  /** The seqs of each thread, as get_thread tells them. */
  threads: Record<string, number[]>;
  /** The ids that each recipient finds when it looks again at what it was handed, with `include: "recent"`. */
  recent: Record<string, string[]>;
}

const readMsMax = 60_000;
const receiptsAtOnce = 16;
const pageLimit = 500;

export async function readTruth(url: string, session = 'default'): Promise<Truth> {
  const messages = await readFeed(url, session);
  const threadIds = [...new Set(messages.flatMap(({ threadId }) => (threadId === undefined ? [] : [threadId])))];
  const threads: Truth['threads'] = {};
  for (const threadId of threadIds) threads[threadId] = await readThread(url, session, threadId);
  const receipts = await readReceipts(url, session, messages);
  // Looking as someone who never registered would register them.
  const { agents } = await call(url, 'list_agents', {}, { session });
  const registered = new Set(agents.map(({ id }: { id: string }) => id));
  const recipients = new Set(receipts.map(({ recipient }) => recipient).filter((id) => registered.has(id)));
  const recent: Truth['recent'] = {};
  for (const recipient of recipients) recent[recipient] = await readRecent(url, session, recipient);
  return { messages, receipts, threads, recent };
}

/** From the first message to the one that a second follower is told to be the last. */
export async function readFeed(url: string, session: string): Promise<TruthMessage[]> {
  const last = await firstEvent(`${url}?session=${session}`, ({ event, data }) =>
    event === 'hello' ? (data['seq'] as number) : undefined,
  );
  const messages: TruthMessage[] = [];
  if (last === 0) return messages;
  return firstEvent(`${url}?session=${session}&after=0`, ({ event, data }) => {
    if (event === 'message') messages.push(toMessage(data));
    return messages.at(-1)?.seq === last ? messages : undefined;
  });
}

interface FeedEvent {
  event: string;
  data: Record<string, unknown>;
}

/** Follows a feed until `look` returns something. */
function firstEvent<Found>(address: string, look: (event: FeedEvent) => Found | undefined): Promise<Found> {
  const [base = '', query = ''] = address.split('?');
  return new Promise((resolve, reject) => {
    const sent = get(`${base}/v1/events?${query}`, { agent: false }, (response) => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('error', reject);
      response.on('data', (chunk: string) => {
        const frames = `${rest}${chunk}`.split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) {
          const event = eventOf(frame);
          const found = event === undefined ? undefined : look(event);
          if (found === undefined) continue;
          clearTimeout(overdue);
          sent.destroy();
          return resolve(found);
        }
      });
    });
    sent.on('error', reject);
    const overdue = setTimeout(() => sent.destroy(new Error('the feed did not reach its end')), readMsMax);
  });
}

function eventOf(frame: string): FeedEvent | undefined {
  const event = /^event: (.*)$/m.exec(frame)?.[1];
  const data = /^data: (.*)$/m.exec(frame)?.[1];
  return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) };
}

function toMessage(data: Record<string, unknown>): TruthMessage {
  const { id, seq, sender, threadId, metadata } = data as unknown as TruthMessage & { metadata?: { uid?: string } };
  const uid = metadata?.uid;
  return { id, seq, sender, ...(threadId === undefined ? {} : { threadId }), ...(uid === undefined ? {} : { uid }) };
}

async function readThread(url: string, session: string, threadId: string): Promise<number[]> {
  const seqs: number[] = [];
  for (let after = 0; ;) {
    const page = await call(url, 'get_thread', { threadId, after, limit: pageLimit }, { session });
    seqs.push(...page.messages.map(({ seq }: TruthMessage) => seq));
    if (page.hasMore !== true) return seqs;
    after = seqs.at(-1) ?? after;
  }
}

async function readRecent(url: string, session: string, agent: string): Promise<string[]> {
  const { messages } = await call(url, 'get_messages', { include: 'recent', limit: 100 }, { agent, session });
  return messages.map(({ id }: TruthMessage) => id);
}

export async function readReceipts(url: string, session: string, messages: TruthMessage[]): Promise<TruthReceipt[]> {
  const waiting = [...messages];
  const receipts: TruthReceipt[] = [];
  const lane = async () => {
    for (let message = waiting.pop(); message !== undefined; message = waiting.pop()) {
      const { messageId, deliveries } = await call(url, 'get_receipts', { messageId: message.id }, { session });
      for (const { recipient, state, reason } of deliveries) receipts.push({ messageId, recipient, state, reason });
    }
  };
  await Promise.all(Array.from({ length: receiptsAtOnce }, lane));
  return receipts;
}
