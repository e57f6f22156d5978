// A batch as `append_messages` takes it: column by column.
import { sqlTypeOf, type MessageRow } from '../../rows/message-row.js';
import { appendedAs, copyRowOf, draftOf, laneOf, type Draft } from '../../rules/draft.js';
import { bigintColumn, columnOf, integerColumn, textColumn } from './column-parameter.js';
import { storableRowOf } from './insert-message.js';
import type { Planned } from './plan-batch.js';
import { keyText, packAnswer } from './send-answer.js';

interface SessionPlace {
  id: string;
  /** From one, as the database counts. */
  place: number;
  version: number;
  room: number;
  count: number;
  /** Where each sender's inbox is among all. */
  inboxes: Map<string, number>;
}

export interface MessagePlace {
  place: number;
  number: number;
  inbox: number;
}

export interface Places {
  sessions: SessionPlace[];
  ofMessages: MessagePlace[];
  inboxes: { place: number; agentId: string }[];
}

export const nowhere: MessagePlace = { place: 0, number: 0, inbox: 0 };

export function placesOf(batch: readonly Planned[]): Places {
  const sessions = new Map<string, SessionPlace>();
  const inboxes: Places['inboxes'] = [];
  const ofMessages = batch.map(({ plan, session, roomUpTo }) => {
    let own = sessions.get(plan.sessionId);
    if (own === undefined) {
      const place = sessions.size + 1;
      own = { id: plan.sessionId, place, version: session.version, room: roomUpTo, count: 0, inboxes: new Map() };
      sessions.set(plan.sessionId, own);
    }
    own.count += 1;
    own.room = Math.min(own.room, roomUpTo);
    // Planned before and after a change in one batch: then the older one decides.
    own.version = Math.min(own.version, session.version);
    let inbox = own.inboxes.get(plan.sender);
    if (inbox === undefined) {
      inbox = inboxes.push({ place: own.place, agentId: plan.sender }) - 1;
      own.inboxes.set(plan.sender, inbox);
    }
    return { place: own.place, number: own.count, inbox };
  });
  return { sessions: [...sessions.values()], ofMessages, inboxes };
}

/** The parameter of `append_messages` that takes each column of a message; what it gives itself has none. */
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

// Object.keys forgets that these are the columns' names.
const messageColumns = Object.keys(messageParameters) as (keyof typeof messageParameters)[];

/** By the names of the parameters of `append_messages`. */
export function columnsOf(batch: readonly Planned[], { sessions, ofMessages, inboxes }: Places) {
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
    places: integerColumn(ofMessages.map(({ place }) => place)),
    numbers: integerColumn(ofMessages.map(({ number }) => number)),
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
    inbox_places: integerColumn(inboxes.map(({ place }) => place)),
    inbox_agents: textColumn(inboxes.map(({ agentId }) => agentId)),
  };
}

function messageColumnsOf(drafts: readonly Draft[]): Record<string, Buffer | null> {
  const rows = drafts.map((draft) => storableRowOf(draft, noSeq));
  const columns: Record<string, Buffer | null> = {};
  for (const name of messageColumns) {
    // The list of columns says that a text column holds texts, and any other numbers.
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

/** The database gives it. */
const noSeq = 0;
