// What can be done with a thread: close it with a summary, open it again, join or leave it.
import { useState } from 'preact/hooks';
import type { ThreadView } from '../../../../src/contract/thread.js';
import { call } from '../../data/api.js';
import { isObserver } from '../../data/rights.js';
import { isMember, type OpenThread } from '../../data/threads/thread.js';
import { clearDraft, Free } from '../../parts/free.js';
import { ErrorState } from '../../parts/state.js';

export interface ActsProps {
  open: OpenThread;
  thread: ThreadView;
}

export function ThreadActs({ open, thread }: ActsProps) {
  const { act, error } = useAct(open, thread);
  const [isClosing, setClosing] = useState(false);
  const draftId = `close-${thread.threadId}`;
  if (isObserver.value) return null;
  if (isClosing) {
    return (
      <>
        <Free
          draftId={draftId}
          label="Summary, may be empty"
          button="Close thread"
          isLong
          isOptional
          hasFocus
          onSend={(summary) => {
            setClosing(false);
            clearDraft(draftId);
            void act('close_thread', { summary });
          }}
        />
        <button class="textlink" type="button" onClick={() => setClosing(false)}>
          Leave it open
        </button>
      </>
    );
  }
  return (
    <>
      <div class="btn-row">
        {thread.status === 'open' ? (
          <button class="btn" type="button" onClick={() => setClosing(true)}>
            Close thread
          </button>
        ) : (
          <button class="btn" type="button" onClick={() => void act('reopen_thread')}>
            Reopen
          </button>
        )}
        {thread.status === 'open' &&
          (isMember(thread) ? (
            <button class="btn btn-quiet" type="button" onClick={() => void act('leave_thread')}>
              Leave
            </button>
          ) : (
            <button class="btn" type="button" onClick={() => void act('join_thread')}>
              Join
            </button>
          ))}
      </div>
      {error !== undefined && <ErrorState error={error} />}
    </>
  );
}

export function useAct(open: OpenThread, { threadId }: ThreadView) {
  const [error, setError] = useState<Error | undefined>(undefined);
  const act = async (operation: string, input: object = {}) => {
    setError(undefined);
    try {
      await call(operation, { threadId, ...input });
      await open.refreshHeader();
    } catch (thrown) {
      if (thrown instanceof Error) setError(thrown);
    }
  };
  return { act, error };
}
