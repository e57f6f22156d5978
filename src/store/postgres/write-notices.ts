// Writes what `system` has to say about a thread, in the transaction of the change it tells of.
import { systemPlan } from '../../message/system-plan.js';
import type { Notice } from '../../notify/notice.js';
import { defaultTemplates, renderTemplate } from '../../notify/templates.js';
import { hears } from '../../notify/wakes.js';
import type { Appended, ThreadRecord } from '../../ports/store.js';
import { recordUndelivered } from './end-copies.js';
import type { NotifyMemory } from './hub-memory.js';
import { insertMessage, noReply } from './insert-message.js';
import { withoutRoom } from './inbox-room.js';
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
  const settings = await notifySettings(tx, place.sessionId);
  const written: Appended[] = [];
  for (const notice of notices) {
    const to = notice.to.filter((id) => isHeardBy(settings, place, notice, id));
    if (to.length === 0 && notice.kind !== 'closed') continue;
    written.push(await writeNotice(tx, place, notice, { to, settings }));
  }
  return written;
}

function isHeardBy({ prefs }: NotifyMemory, { thread }: NoticePlace, { kind }: Notice, id: string): boolean {
  return hears(prefs.get(id), { kind, threadId: thread.id, isCritical: thread.isCritical });
}

async function writeNotice(
  tx: Tx,
  { sessionId, thread, at }: NoticePlace,
  notice: Notice,
  { to, settings }: { to: string[]; settings: NotifyMemory },
): Promise<Appended> {
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
  const full = await withoutRoom(tx, sessionId, to);
  const { appended } = await insertMessage(tx, plan, route, { sender: undefined, ...noReply }, full);
  for (const id of full) await recordUndelivered(tx, plan, { seq: appended.seq, id, route });
  return appended;
}
