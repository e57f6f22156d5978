// Writes what `system` has to say about a thread, in the transaction of the change it tells of.
import { decideNotices, type NoticeDraft, type NoticePlace } from '../../../notify/decide-notices.js';
import type { Notice } from '../../../notify/notice.js';
import type { Appended } from '../../../ports/store.js';
import { recordUndelivered } from '../inbox/end-copies.js';
import { insertMessage, noReply } from '../send/insert-message.js';
import { hasRoom } from '../send/inbox-room.js';
import { notifySettings } from '../session/notify-settings.js';
import type { Tx } from '../writer/transaction.js';

export function writeNotices(tx: Tx, place: NoticePlace, notices: readonly Notice[]): Appended[] {
  if (notices.length === 0) return [];
  const drafts = decideNotices(place, notices, notifySettings(tx, place.sessionId));
  return drafts.map((draft) => writeWhereThereIsRoom(tx, draft));
}

function writeWhereThereIsRoom(tx: Tx, { plan, route }: NoticeDraft): Appended {
  const full = route.recipients.flatMap(({ id }) => (hasRoom(tx, plan.sessionId, id) ? [] : [id]));
  const { n, appended } = insertMessage(tx, plan, route, { sender: undefined, ...noReply }, full);
  for (const id of full) recordUndelivered(tx, plan, { n, seq: appended.seq, id, route });
  return appended;
}
