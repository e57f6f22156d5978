// Writes what `system` has to say about a thread, in the transaction of the change it tells of.
import { systemPlan } from '../../message/system-plan.js';
import type { Notice } from '../../notify/notice.js';
import { defaultTemplates, renderTemplate } from '../../notify/templates.js';
import { hears } from '../../notify/wakes.js';
import type { Appended, ThreadRecord } from '../../ports/store.js';
import { recordUndelivered } from './end-copies.js';
import { insertMessage, noReply } from './insert-message.js';
import { hasRoom } from './inbox-room.js';
import { notifySettings } from './notify-settings.js';
import type { Tx } from './transaction.js';

export interface NoticePlace {
  sessionId: string;
  thread: ThreadRecord;
  at: number;
}

/** Those who muted it get none. How a thread was closed is kept in it even when no one is left to be told. */
export function writeNotices(tx: Tx, place: NoticePlace, notices: readonly Notice[]): Appended[] {
  return notices.flatMap((notice) => {
    const to = notice.to.filter((id) => isHeardBy(tx, place, notice, id));
    return to.length === 0 && notice.kind !== 'closed' ? [] : [writeNotice(tx, place, notice, to)];
  });
}

function isHeardBy(tx: Tx, { sessionId, thread }: NoticePlace, { kind }: Notice, id: string): boolean {
  const prefs = notifySettings(tx, sessionId).prefs.get(id);
  return hears(prefs, { kind, threadId: thread.id, isCritical: thread.isCritical });
}

function writeNotice(tx: Tx, { sessionId, thread, at }: NoticePlace, notice: Notice, to: string[]): Appended {
  const { kind, values, isInThread } = notice;
  const text = renderTemplate(notifySettings(tx, sessionId).templates[kind] ?? defaultTemplates[kind], values);
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
  const full = to.filter((id) => !hasRoom(tx, sessionId, id));
  const { n, appended } = insertMessage(tx, plan, route, { sender: undefined, ...noReply }, full);
  for (const id of full) recordUndelivered(tx, plan, { n, seq: appended.seq, id, route });
  return appended;
}
