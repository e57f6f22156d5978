// get_session_history: the messages of a session in order, as a follower of the live feed has seen them.
import { auditRead, type AuditPorts } from '../../access/audit-read.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { encodeCursor } from '../../contract/cursor.js';
import { threadIdPattern } from '../../contract/ids.js';
import type { getSessionHistory as contract } from '../../contract/operations/get-session-history.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import { readerOf, type Caller } from '../../ports/caller.js';
import type { Store } from '../../ports/store.js';
import { fitMessages } from '../inbox/fit-messages.js';
import { viewMessage } from '../inbox/view.js';
import { seqInCursor } from './decide-position.js';

export interface SessionHistoryPorts extends AuditPorts {
  store: Pick<Store, 'readFeed' | 'lastSeq' | 'seqOf' | 'readThread'> & AuditPorts['store'];
}

const recipientsShown = 10;

export async function getSessionHistory(
  ports: SessionHistoryPorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof contract>; model: ModelReader | undefined },
): Promise<OutputOf<typeof contract>> {
  const { store } = ports;
  const { sessionId, agentId } = caller;
  const reader = readerOf(caller);
  const { after } = input;
  const afterSeq =
    typeof after === 'number'
      ? after
      : ((await store.seqOf({ sessionId, messageId: after })) ?? seqInCursor('after', after));
  const last = await store.lastSeq({ sessionId });
  const page = await store.readFeed({ sessionId, reader, afterSeq, limit: input.limit, withRecipients: true });
  if (reader.kind === 'all') {
    const details = { after: afterSeq, messages: page.messages.length };
    await auditRead(ports, caller, { act: 'get_session_history', target: '', details });
  }
  const found = page.messages.map((record, index) => {
    const recipients = page.recipients[index] ?? [];
    const more = recipients.length - recipientsShown;
    return {
      ...viewMessage(record, agentId),
      recipients: recipients.slice(0, recipientsShown),
      ...(more > 0 ? { moreRecipients: more } : {}),
    };
  });
  const messages = fitMessages(found, model);
  const isCut = messages.length < found.length;
  const position = isCut ? (messages.at(-1)?.seq ?? afterSeq) : page.position;
  return {
    messages,
    threads: await titlesOf(ports, caller, new Set(messages.flatMap(({ threadId }) => threadId ?? []))),
    position,
    last,
    hasMore: isCut || page.hasMore,
    cursor: encodeCursor({ kind: 'position', after: [position] }),
  };
}

/** Who may read a message of a thread may read its title. A label is no thread. */
async function titlesOf({ store }: SessionHistoryPorts, { sessionId, agentId: reader }: Caller, ids: Set<string>) {
  const created = [...ids].filter((id) => threadIdPattern.test(id));
  const threads = await Promise.all(created.map((threadId) => store.readThread({ sessionId, threadId, reader })));
  return threads.flatMap((thread) => (thread === null ? [] : [{ threadId: thread.id, title: thread.title }]));
}
