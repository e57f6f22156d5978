// A batch as `append_messages` takes it: column by column.
import { lanes } from '../../../message/send/route.js';
import { bigintColumn, integerColumn, textColumn } from './column-parameter.js';
import { keyText } from './idempotency.js';
import { appendedAs, messageColumnsOf } from './insert-message.js';
import type { Planned } from './plan-batch.js';
import { packAnswer } from './send-answer.js';

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

/** As `append_messages` takes them. */
export function columnsOf(batch: readonly Planned[], { sessions, ofMessages, inboxes }: Places): (Buffer | null)[] {
  const rows = batch.map(({ plan, routed: { found, author } }) => messageColumnsOf(plan, found, author));
  const keys = batch.map(keyColumnsOf);
  const copies = batch.flatMap(({ routed }, index) =>
    routed.found.recipients.map(({ id, why, isWaking }) => ({ message: index + 1, id, why, isWaking })),
  );
  return [
    textColumn(sessions.map(({ id }) => id)),
    bigintColumn(sessions.map(({ version }) => version)),
    bigintColumn(sessions.map(({ room }) => room)),
    integerColumn(sessions.map(({ count }) => count)),
    integerColumn(ofMessages.map(({ place }) => place)),
    integerColumn(ofMessages.map(({ number }) => number)),
    textColumn(batch.map(({ plan }) => plan.sender)),
    textColumn(rows.map((row) => row.thread_id)),
    textColumn(rows.map((row) => row.name)),
    bigintColumn(rows.map((row) => row.at)),
    integerColumn(rows.map((row) => row.rank)),
    textColumn(rows.map((row) => row.role)),
    textColumn(rows.map((row) => row.type)),
    textColumn(rows.map((row) => row.priority)),
    textColumn(rows.map((row) => row.action)),
    integerColumn(rows.map((row) => row.urgent)),
    bigintColumn(rows.map((row) => row.reply_to)),
    integerColumn(rows.map((row) => row.hops)),
    textColumn(rows.map((row) => row.target)),
    textColumn(rows.map((row) => row.content)),
    textColumn(rows.map((row) => row.mentions)),
    textColumn(rows.map((row) => row.extras)),
    bigintColumn(rows.map((row) => row.expires_at)),
    textColumn(rows.map((row) => row.recipients)),
    integerColumn(batch.map(({ plan }) => (plan.wantsReceipt ? 1 : null))),
    textColumn(keys.map((key) => key?.text ?? null)),
    textColumn(keys.map((key) => key?.hash ?? null)),
    textColumn(keys.map((key) => key?.answer ?? null)),
    bigintColumn(keys.map((key) => key?.expiresAt ?? null)),
    integerColumn(copies.map(({ message }) => message)),
    textColumn(copies.map(({ id }) => id)),
    integerColumn(copies.map(({ isWaking }) => (isWaking ? lanes.waking : lanes.plain))),
    textColumn(copies.map(({ why }) => why)),
    integerColumn(inboxes.map(({ place }) => place)),
    textColumn(inboxes.map(({ agentId }) => agentId)),
  ];
}

function keyColumnsOf({ plan, routed: { found } }: Planned) {
  if (plan.key === null) return null;
  const answer = packAnswer(appendedAs(plan, found, { ...noPlace, recipients: found.recipients, undelivered: [] }));
  return { text: keyText(plan.key.key), hash: plan.key.hash, answer, expiresAt: plan.key.expiresAt };
}

/** The database gives it. */
const noPlace = { seq: 0, id: '' };
