// A message that is not in this person's mail: between others, or older. One of a thread is shown at its place there.
import { useEffect, useState } from 'preact/hooks';
import { go } from '../../app/router.js';
import { useTitle } from '../../app/title.js';
import { call } from '../../data/api.js';
import type { Message } from '../../data/types.js';
import { Bones } from '../../parts/bones.js';
import { spelled, spellHidden } from '../../parts/hidden-chars.js';
import { isOfThread, messagePath } from '../../parts/message-path.js';
import { ErrorState } from '../../parts/state.js';
import { Name } from '../../parts/who.js';
import { Entry } from '../thread/entry.js';
import { toolLinks, toolsIn } from '../thread/tools.js';

export function AnyMessage({ id }: { id: string }) {
  const [message, setMessage] = useState<Message>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    let isOver = false;
    readMessage(id).then(
      (found) => {
        if (isOver) return;
        if (isOfThread(found.threadId)) go(messagePath(found.id, found.threadId), { replace: true });
        else setMessage(found);
      },
      (failure: Error) => !isOver && setError(failure),
    );
    return () => {
      isOver = true;
    };
  }, [id]);
  if (error !== undefined) return <ErrorState error={error} actions={<Ways />} />;
  return message === undefined ? <Bones label="Loading the message" /> : <Direct message={message} />;
}

async function readMessage(messageId: string): Promise<Message> {
  const { messages } = await call<{ messages: [Message] }>('get_messages', { messageId });
  return messages[0];
}

function Direct({ message }: { message: Message }) {
  const { sender, name } = message;
  const target = typeof message['target'] === 'string' ? message['target'] : undefined;
  const label = message.threadId;
  const tools = toolsIn([message]);
  useTitle(`From ${spelled(name ?? sender)}`);
  return (
    <div class="focus">
      <p class="row-sub">
        {target !== undefined && (
          <>
            To{' '}
            <a href={`/app/agent/${encodeURIComponent(target)}`}>
              <Name id={target} />
            </a>
            .{' '}
          </>
        )}
        {label !== undefined && (
          <>
            About <bdi>{spellHidden(label)}</bdi>.{' '}
          </>
        )}
        Not in a thread.
      </p>
      <ol class="thread">
        <Entry
          message={message}
          threadId={undefined}
          parent={undefined}
          isFresh={false}
          isMeant={false}
          links={toolLinks(message, tools)}
          tools={tools}
          onReply={undefined}
        />
      </ol>
    </div>
  );
}

function Ways() {
  return (
    <>
      <a class="btn" href="/">
        To the inbox
      </a>
      <a class="btn" href="/app/find">
        Find
      </a>
    </>
  );
}
