// The columns of a batch, as parameters of `append_messages`.
import { sqlTypeOf, type MessageRow } from '../../rows/message-row.js';
import { appendedAs, copyRowOf, draftOf, laneOf, type Draft } from '../../rules/draft.js';
import { bigintColumn, columnOf, integerColumn, textColumn } from './column-parameter.js';
import { storableRowOf } from './insert-message.js';
import type { Planned } from './plan-batch.js';
import { keyText, packAnswer } from './send-answer.js';

/** A session of the batch. */
interface SessionSlot {
  id: string;
  /** Its index in the batch; starts at one, as in SQL. */
  index: number;
  version: number;
  room: number;
  count: number;
  /** The index of each sender's inbox in `Slots.inboxes`. */
  inboxes: Map<string, number>;
}

export interface MessageSlot {
  /** The index of its session. */
  session: number;
  /** Its number in the session's part of the batch; starts at one. */
  number: number;
  /** The index of its sender's inbox. */
  inbox: number;
}

export interface Slots {
  sessions: SessionSlot[];
  messages: MessageSlot[];
  inboxes: { session: number; agentId: string }[];
}

export const noSlot: MessageSlot = { session: 0, number: 0, inbox: 0 };

export function slotsOf(batch: readonly Planned[]): Slots {
  const sessions = new Map<string, SessionSlot>();
  const inboxes: Slots['inboxes'] = [];
  const messages = batch.map(({ plan, session, roomUpTo }) => {
    let own = sessions.get(plan.sessionId);
    if (own === undefined) {
      const index = sessions.size + 1;
      own = { id: plan.sessionId, index, version: session.version, room: roomUpTo, count: 0, inboxes: new Map() };
      sessions.set(plan.sessionId, own);
    }
    own.count += 1;
    own.room = Math.min(own.room, roomUpTo);
    // If sends were planned before and after a change, the older version counts.
    own.version = Math.min(own.version, session.version);
    let inbox = own.inboxes.get(plan.sender);
    if (inbox === undefined) {
      inbox = inboxes.push({ session: own.index, agentId: plan.sender }) - 1;
      own.inboxes.set(plan.sender, inbox);
    }
    return { session: own.index, number: own.count, inbox };
  });
  return { sessions: [...sessions.values()], messages, inboxes };
}

/** The parameter of `append_messages` for each column of a message that it does not assign itself. */
const messageParameters = {
  sender: 'senders',
  thread_id: 'thread_ids',
  name: 'names',
  at: 'times',
  rank: 'ranks',
  role: 'roles',
  type: 'types',
  priority: 'priorities',
  action: 'actions',
  urgent: 'urgents',
  reply_to: 'replies_to',
  hops: 'hop_counts',
  target: 'targets',
  content: 'contents',
  mentions: 'mention_lists',
  extras: 'all_extras',
  expires_at: 'expiries',
  recipients: 'recipient_lists',
} as const satisfies Record<Exclude<keyof MessageRow, 'session_id' | 'seq'>, string>;

// Safe: Object.keys does not keep the type of the names.
const messageColumns = Object.keys(messageParameters) as (keyof typeof messageParameters)[];

/** By parameter name of `append_messages`. */
export function columnsOf(batch: readonly Planned[], { sessions, messages, inboxes }: Slots) {
  const drafts = batch.map(({ plan, routed }) => draftOf(plan, routed));
  const keys = drafts.map(keyColumnsOf);
  const copies = drafts.flatMap(({ route }, index) =>
    route.recipients.map((recipient) => ({ message: index + 1, recipient })),
  );
  return {
    sessions: textColumn(sessions.map(({ id }) => id)),
    versions: bigintColumn(sessions.map(({ version }) => version)),
    rooms: bigintColumn(sessions.map(({ room }) => room)),
    counts: integerColumn(sessions.map(({ count }) => count)),
    places: integerColumn(messages.map(({ session }) => session)),
    numbers: integerColumn(messages.map(({ number }) => number)),
    ...messageColumnsOf(drafts),
    receipts: integerColumn(drafts.map((draft) => copyRowOf(draft).wants_receipt)),
    keys: textColumn(keys.map((key) => key?.text ?? null)),
    key_hashes: textColumn(keys.map((key) => key?.hash ?? null)),
    key_results: textColumn(keys.map((key) => key?.answer ?? null)),
    key_expiries: bigintColumn(keys.map((key) => key?.expiresAt ?? null)),
    copies_of: integerColumn(copies.map(({ message }) => message)),
    readers: textColumn(copies.map(({ recipient }) => recipient.id)),
    lanes: integerColumn(copies.map(({ recipient }) => laneOf(recipient))),
    reasons: textColumn(copies.map(({ recipient }) => recipient.why)),
    inbox_places: integerColumn(inboxes.map(({ session }) => session)),
    inbox_agents: textColumn(inboxes.map(({ agentId }) => agentId)),
  };
}

function messageColumnsOf(drafts: readonly Draft[]): Record<string, Buffer | null> {
  const rows = drafts.map((draft) => storableRowOf(draft, noSeq));
  const columns: Record<string, Buffer | null> = {};
  for (const name of messageColumns) {
    // Text columns have strings, all others numbers, as the list of columns declares.
    const values = rows.map((row) => row[name]);
    columns[messageParameters[name]] = columnOf(sqlTypeOf(name), values);
  }
  return columns;
}

function keyColumnsOf(draft: Draft) {
  const { key } = draft.plan;
  if (key === null) return null;
  const answer = packAnswer(appendedAs(draft, noSeq, 0));
  return { text: keyText(key.key), hash: key.hash, answer, expiresAt: key.expiresAt };
}

/** The database assigns it. */
const noSeq = 0;
