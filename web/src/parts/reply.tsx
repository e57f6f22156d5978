// A reply to mail, sent as the person. Says what sending does.
import { useState } from 'preact/hooks';
import { reply } from '../data/mail.js';
import type { Mail } from '../data/store.js';
import { clearDraft, Free } from './free.js';
import { ErrorState } from './state.js';

export function Reply({ to, extraClass }: { to: Mail; extraClass?: string }) {
  const [state, set] = useState<'idle' | 'sending' | 'kept' | Error>('idle');
  const draftId = `reply-${to.id}`;
  const send = async (text: string) => {
    set('sending');
    try {
      const outcome = await reply(to, text);
      clearDraft(draftId);
      set(outcome === 'kept' ? 'kept' : 'idle');
    } catch (error) {
      if (error instanceof Error) set(error);
    }
  };
  return (
    <>
      <Free
        draftId={draftId}
        label={`Reply to ${to.name ?? to.sender}`}
        button="Reply"
        isDisabled={state === 'sending'}
        {...(extraClass === undefined ? {} : { extraClass })}
        onSend={(text) => void send(text)}
      />
      {state === 'kept' && (
        <p class="effect" role="status">
          Kept on this device. It is sent when you are back.
        </p>
      )}
      {state instanceof Error && <ErrorState error={state} />}
    </>
  );
}
