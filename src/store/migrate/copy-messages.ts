// Messages and attachments never change, but for the recipients of a replayed letter to a group: missing ones are appended
// in steps, each in its own transaction, so that an interrupted run can continue.
import type { Sides } from './side-by-side.js';
import { attachmentUses, messages, type Row } from '../rows/tables.js';

export interface CopiedMessages {
  messages: number;
  attachments: number;
  attachmentUses: number;
}

export async function copyMessages(
  sides: Sides,
  sessionId: string,
  onStep: (copied: number) => void,
): Promise<CopiedMessages> {
  const { source, target } = sides;
  await updateReplayedLetters(sides, sessionId);
  const last = await target.lastMessage(sessionId);
  const copied: CopiedMessages = { messages: 0, attachments: 0, attachmentUses: 0 };
  for (const rows of source.messagesAfter(sessionId, Number(last?.['seq'] ?? 0))) {
    const uses = source.attachmentUses(sessionId, seqOf(rows[0]), seqOf(rows.at(-1)));
    copied.attachments += await target.transaction(async () => {
      await target.insert(messages, sessionId, rows);
      await target.upsert(attachmentUses, sessionId, uses);
      return copyAttachments(sides, sessionId, uses);
    });
    copied.messages += rows.length;
    copied.attachmentUses += uses.length;
    onStep(copied.messages);
  }
  return copied;
}

/** Letters that were still dead at the last run; a replay since has made the group's members their recipients. */
async function updateReplayedLetters({ source, target }: Sides, sessionId: string): Promise<void> {
  const letters = await target.query("select seq from delivery where session_id = $1 and reason = 'GROUP_EMPTY'", [
    sessionId,
  ]);
  for (const { seq = null } of letters) {
    const recipients = source.message(sessionId, Number(seq))?.['recipients'];
    if (recipients === undefined) continue;
    await target.query('update message set recipients = $1 where session_id = $2 and seq = $3', [
      recipients,
      sessionId,
      seq,
    ]);
  }
}

/** One at a time, because they are large. */
async function copyAttachments({ source, target }: Sides, sessionId: string, uses: readonly Row[]): Promise<number> {
  const hashes = [...new Set(uses.map(({ hash }) => String(hash)))];
  const known = await target.query('select hash from attachment where session_id = $1 and hash = any($2::text[])', [
    sessionId,
    hashes,
  ]);
  const has = new Set(known.map(({ hash }) => hash));
  const missing = hashes.filter((hash) => !has.has(hash));
  for (const hash of missing) {
    const attachment = source.attachment(sessionId, hash);
    // The verification at the end reports it.
    if (attachment === undefined) continue;
    await target.query('insert into attachment (session_id, hash, media_type, data) values ($1, $2, $3, $4)', [
      sessionId,
      hash,
      attachment.media_type,
      attachment.data,
    ]);
  }
  return missing.length;
}

function seqOf(row: Row | undefined): number {
  return Number(row?.['seq'] ?? 0);
}
