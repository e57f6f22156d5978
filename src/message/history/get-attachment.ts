// get_attachment: the bytes of an attachment, for agents that may read a message that refers to it.
import { auditRead, type AuditPorts } from '../../access/audit-read.js';
import { answerFrameTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { HubError } from '../../contract/errors.js';
import { limits } from '../../contract/limits.js';
import type { getAttachment as contract } from '../../contract/operations/get-attachment.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { ShownMedia } from '../../contract/shown-media.js';
import { readerOf, readerWithoutAdmin, type Caller } from '../../ports/caller.js';
import type { AttachmentQuery, Store } from '../../ports/store.js';
import { base64Of } from './attachment-bytes.js';

type Input = InputOf<typeof contract>;
type Output = OutputOf<typeof contract>;

/** Most models accept images of up to 5 MB of base64. */
const shownBytesMax = 3_750_000;

export interface AttachmentPorts extends AuditPorts {
  store: Pick<Store, 'readAttachment'> & AuditPorts['store'];
}

export async function getAttachment(
  ports: AttachmentPorts,
  caller: Caller,
  { input, model }: { input: Input; model: ModelReader | undefined },
): Promise<{ output: Output; media?: ShownMedia; dataBytes: number }> {
  const { offset } = input;
  const query: AttachmentQuery = {
    sessionId: caller.sessionId,
    reader: readerOf(caller),
    name: nameOf(input),
    offset,
    length: input.length ?? limits.attachmentBytes,
  };
  const found = await ports.store.readAttachment(query);
  if ('unknown' in found) throw notFound(input, found.unknown);
  await auditOthers(ports, caller, query);
  const { hash, mediaType, size, bytes } = found;
  if (offset > 0 && offset >= size) throw offsetTooLarge(offset, size);
  const about = { hash, mediaType, bytes: size, offset };
  const type = kindShown(mediaType);
  if (model !== undefined && type !== undefined && bytes.length === size && size <= shownBytesMax) {
    const media = [{ label: `${type}:`, type, mimeType: mediaType, data: base64Of(bytes) }];
    return { output: { ...about, length: size, hasMore: false }, media, dataBytes: size };
  }
  const part = model === undefined ? bytes : bytes.subarray(0, bytesFor(model));
  const hasMore = offset + part.length < size;
  const output = { ...about, length: part.length, data: base64Of(part), hasMore };
  return { output, dataBytes: part.length };
}

/** An admin may fetch attachments of messages that are not its own. */
async function auditOthers(ports: AttachmentPorts, caller: Caller, query: AttachmentQuery): Promise<void> {
  if (caller.grant === null || query.reader.kind !== 'all') return;
  const own = await ports.store.readAttachment({ ...query, reader: readerWithoutAdmin(caller), length: 0 });
  if (!('unknown' in own)) return;
  const { name } = query;
  const target = 'hash' in name ? name.hash : name.messageId;
  await auditRead(ports, caller, { act: 'get_attachment', target, details: { ...name } });
}

function nameOf({ messageId, index, hash }: Input): AttachmentQuery['name'] {
  if (messageId !== undefined && hash === undefined) return { messageId, index };
  if (hash !== undefined && messageId === undefined) return { hash: hash.toLowerCase() };
  const problem = messageId === undefined ? 'is required, or hash' : 'was given together with hash';
  throw new HubError('INVALID_INPUT', `messageId: ${problem}.`, {
    hint: 'Name the attachment once: by messageId and index, or by hash.',
    details: { field: 'messageId', problem },
  });
}

/** The same error whether it does not exist or may not be read. */
function notFound({ messageId, index, hash }: Input, unknown: 'message' | 'attachment'): HubError {
  if (unknown === 'message') {
    return new HubError('MESSAGE_UNKNOWN', `No message '${messageId}' that you were handed.`, {
      hint: 'Use the id of a message you have sent or received.',
      details: { messageId },
    });
  }
  const named = messageId === undefined ? `with hash ${hash}` : `${index} of message '${messageId}'`;
  return new HubError('ATTACHMENT_UNKNOWN', `No attachment ${named} that you may read.`, {
    hint: 'Use messageId and index, or the hash, as a message shows them.',
    details: messageId === undefined ? { hash } : { messageId, index },
  });
}

function offsetTooLarge(offset: number, bytes: number): HubError {
  const problem = `must be below ${bytes}, the attachment's size`;
  return new HubError('INVALID_INPUT', `offset: ${problem}.`, {
    hint: 'Begin at 0, or continue where the last part ended.',
    details: { field: 'offset', problem, offset, bytes },
  });
}

function kindShown(mediaType: string): 'image' | 'audio' | undefined {
  return (['image', 'audio'] as const).find((kind) => mediaType.startsWith(`${kind}/`));
}

/** Base64 costs nearly one token per character, and three bytes are four characters. */
function bytesFor({ tokensMax }: ModelReader): number {
  return Math.max(3, Math.floor(((tokensMax - answerFrameTokens) * 3) / 4 / 3) * 3);
}
