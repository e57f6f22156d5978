// Writes what `system` has to say about a thread, in the transaction of the change it tells of.
import { decideNotices, type NoticeContext } from '../../../notify/decide-notices.js';
import type { Notice } from '../../../notify/notice.js';
import type { Appended } from '../../../ports/store.js';
import { recordUndelivered } from '../inbox/end-copies.js';
import { haveRoomFor, withoutRoom } from '../send/inbox-room.js';
import { insertMessage, insertMessages, noReply, type Draft } from '../send/insert-message.js';
import { notifySettings } from '../session/notify-settings.js';
import type { Tx } from '../connection/transaction.js';

export async function writeNotices(tx: Tx, context: NoticeContext, notices: readonly Notice[]): Promise<Appended[]> {
  if (notices.length === 0) return [];
  const { sessionId } = context;
  const decided = decideNotices(context, notices, await notifySettings(tx, sessionId));
  const author = { sender: undefined, ...noReply };
  const drafts = decided.map((draft): Draft => ({ ...draft, author, undelivered: [] }));
  const readers = [...new Set(drafts.flatMap(({ route }) => route.recipients.map(({ id }) => id)))];
  // Nearly always there is room for all of them, and they are written at once.
  if (await haveRoomFor(tx, sessionId, readers, drafts.length)) return insertMessages(tx, sessionId, drafts);
  const written: Appended[] = [];
  for (const draft of drafts) written.push(await writeWhereThereIsRoom(tx, draft));
  return written;
}

async function writeWhereThereIsRoom(tx: Tx, { plan, route, author }: Draft): Promise<Appended> {
  const ids = route.recipients.map(({ id }) => id);
  const full = await withoutRoom(tx, plan.sessionId, ids);
  const { appended } = await insertMessage(tx, plan, route, author, full);
  for (const id of full) await recordUndelivered(tx, plan, { seq: appended.seq, id, route });
  return appended;
}
