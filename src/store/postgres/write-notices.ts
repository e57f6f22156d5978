// Writes what `system` has to say about a thread, in the transaction of the change it tells of.
import { systemPlan } from '../../message/system-plan.js';
import type { Notice } from '../../notify/notice.js';
import { defaultTemplates, renderTemplate } from '../../notify/templates.js';
import { hears } from '../../notify/wakes.js';
import type { Appended, ThreadRecord } from '../../ports/store.js';
import { recordUndelivered } from './end-copies.js';
import type { NotifyMemory } from './hub-memory.js';
import { haveRoomFor, withoutRoom } from './inbox-room.js';
import { insertMessage, insertMessages, noReply, type Draft } from './insert-message.js';
import { notifySettings } from './notify-settings.js';
import type { Tx } from './transaction.js';

export interface NoticePlace {
  sessionId: string;
  thread: ThreadRecord;
  at: number;
}

/** Those who muted it get none. How a thread was closed is kept in it even when no one is left to be told. */
export async function writeNotices(tx: Tx, place: NoticePlace, notices: readonly Notice[]): Promise<Appended[]> {
  if (notices.length === 0) return [];
  const { sessionId } = place;
  const settings = await notifySettings(tx, sessionId);
  const drafts = notices.flatMap((notice) => {
    const to = notice.to.filter((id) => isHeardBy(settings, place, notice, id));
    return to.length === 0 && notice.kind !== 'closed' ? [] : [draftOf(place, notice, { to, settings })];
  });
  const readers = [...new Set(drafts.flatMap(({ route }) => route.recipients.map(({ id }) => id)))];
  // Nearly always there is room for all of them, and they are written at once.
  if (await haveRoomFor(tx, sessionId, readers, drafts.length)) return insertMessages(tx, sessionId, drafts);
  const written: Appended[] = [];
  for (const draft of drafts) written.push(await writeWhereThereIsRoom(tx, draft));
  return written;
}

function isHeardBy({ prefs }: NotifyMemory, { thread }: NoticePlace, { kind }: Notice, id: string): boolean {
  return hears(prefs.get(id), { kind, threadId: thread.id, isCritical: thread.isCritical });
}

function draftOf(
  { sessionId, thread, at }: NoticePlace,
  notice: Notice,
  { to, settings }: { to: string[]; settings: NotifyMemory },
): Draft {
  const { kind, values, isInThread } = notice;
  const text = renderTemplate(settings.templates[kind] ?? defaultTemplates[kind], values);
  const [first] = to;
  const isToOne = notice.to.length === 1;
  const plan = systemPlan({
    ...{ sessionId, at, text, notice: { kind, by: values.by } },
    ...(isToOne && first !== undefined ? { target: first } : {}),
  });
  const route = {
    threadId: isInThread ? thread.id : null,
    recipients: to.map((id) => ({ id, why: 'system' as const, isWaking: true })),
    ...{ mentions: [], droppedMentions: [], urgent: true, isToOne },
  };
  return { plan, route, author: { sender: undefined, ...noReply }, undelivered: [] };
}

async function writeWhereThereIsRoom(tx: Tx, { plan, route, author }: Draft): Promise<Appended> {
  const ids = route.recipients.map(({ id }) => id);
  const full = await withoutRoom(tx, plan.sessionId, ids);
  const { appended } = await insertMessage(tx, plan, route, author, full);
  for (const id of full) await recordUndelivered(tx, plan, { seq: appended.seq, id, route });
  return appended;
}
