// GET /v1/events: a session's messages as they are committed, as far as the follower may read them; resumable by
// Last-Event-ID (a seq).
import type { AgentKind } from '../contract/agent.js';
import type { Message } from '../contract/message.js';
import { identifyFollower } from '../dispatch/identify-follower.js';
import { readerOf, type Caller, type Connection } from '../ports/caller.js';
import type { Hold } from '../ports/caps.js';
import type { MessageRecord, Store } from '../ports/store.js';
import type { AttemptNews } from '../ports/wake.js';
import { connectionOf } from './connection-identity.js';
import type { Exchange } from './exchange.js';
import { FeedFollower } from './feed-follower.js';

export interface EventsPorts {
  /** Records that the follower reads the mail of others, if it does. */
  auditFollower: (caller: Caller) => Promise<void>;
  holdStream: Hold;
  /** The kind of the follower; null for one without a name. */
  admitFollower: (caller: Caller, connection: Connection) => Promise<AgentKind | null>;
  store: Pick<Store, 'readFeed' | 'lastSeq'>;
  onFeed: (sessionId: string, callback: () => void) => () => void;
  onSignals: (sessionId: string, callback: () => void) => () => void;
  /** Attempts to wake agents of the session. */
  onWakes: (sessionId: string, callback: (news: AttemptNews) => void) => () => void;
  onStop: (callback: () => void) => () => void;
  viewMessage: (record: MessageRecord, reader: string | null) => Message;
}

const keepAliveMs = 15_000;

export async function serveEvents(ports: EventsPorts, exchange: Exchange): Promise<void> {
  const connection = connectionOf(exchange);
  const caller = identifyFollower(connection);
  const { sessionId: session, agentId: agent } = caller;
  const reader = readerOf(caller);
  const stream = ports.holdStream(connection);
  stream.add(1);
  exchange.onEnd(() => stream.release());
  const kind = await ports.admitFollower(caller, connection);
  const last = await ports.store.lastSeq({ sessionId: session });
  // A position beyond the end belongs to an earlier database: follow from the end of this one.
  const position = Math.min(startOf(exchange) ?? last, last);
  if (exchange.request.method === 'HEAD') return exchange.text(200, '', { 'content-type': 'text/event-stream' });
  if (reader.kind === 'all') await ports.auditFollower(caller);
  if (exchange.isGone) return;
  const { response } = exchange;
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.write(
    `retry: 1000\nid: ${position}\nevent: hello\ndata: ${JSON.stringify({ sessionId: session, seq: position })}\n\n`,
  );

  const follower = new FeedFollower(exchange, {
    position,
    read: (afterSeq, page) => ports.store.readFeed({ sessionId: session, reader, afterSeq, ...page }),
    view: (record) => ports.viewMessage(record, agent),
  });
  const close = () => response.destroy();
  const follow = () => follower.follow().catch(close);
  const unsubscribe = ports.onFeed(session, () => void follow());
  // Without an id: it is only a hint to read the lists again. A follower that does not read gets one for all it has missed.
  let isOwed = false;
  const passSignals = () => {
    if (!response.writableNeedDrain) return exchange.write('event: signals\ndata: {}\n\n');
    if (isOwed) return;
    isOwed = true;
    response.once('drain', () => {
      isOwed = false;
      passSignals();
    });
  };
  const stopSignals = kind === 'human' ? ports.onSignals(session, passSignals) : () => {};
  // Without an id, too: list_agents and list_wakes have what a follower that does not read has missed.
  const stopWakes = ports.onWakes(session, ({ agentId, kind: route, state, at }) => {
    if (response.writableNeedDrain) return;
    const data = { agent: agentId, kind: route, state, at: new Date(at).toISOString() };
    exchange.write(`event: wake\ndata: ${JSON.stringify(data)}\n\n`);
  });
  const keepAlive = setInterval(() => {
    if (!response.writableNeedDrain) exchange.write(': keep-alive\n\n');
  }, keepAliveMs);
  // A follower resumes at another hub, or at this one after its restart.
  const removeStopListener = ports.onStop(() => response.end());
  response.once('close', () => {
    unsubscribe();
    stopSignals();
    stopWakes();
    removeStopListener();
    clearInterval(keepAlive);
  });
  await follow();
}

function startOf(exchange: Exchange): number | undefined {
  const given = exchange.header('last-event-id') ?? exchange.url.searchParams.get('after') ?? '';
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}
