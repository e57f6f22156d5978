// Writing into the thread, as the person. Says what sending does before it is sent.
import { signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ContentBlock } from '../../../../src/contract/content-block.js';
import type { ThreadView } from '../../../../src/contract/thread.js';
import type { Attached } from '../../data/attach.js';
import { me } from '../../data/hub.js';
import { post } from '../../data/mail.js';
import { members } from '../../data/team.js';
import type { Message } from '../../data/types.js';
import { spelled } from '../../parts/hidden-chars.js';
import { Icon } from '../../parts/icon.js';
import { ErrorState } from '../../parts/state.js';
import { AttachButton, AttachedFiles, noAttachments, withFiles } from './attachments.js';
import { effectOf, insertMention, startedMention } from './decide-effect.js';

const types = ['STATUS', 'QUERY', 'DIRECTIVE', 'RESULT', 'ACK'] as const;
const suggestedMax = 6;

/** Drafts by thread, while the app is open. */
const drafts = signal<ReadonlyMap<string, string>>(new Map());

export interface ComposerProps {
  thread: ThreadView;
  replyTo: Message | undefined;
  onReplyEnd: () => void;
}

export function Composer({ thread, replyTo, onReplyEnd }: ComposerProps) {
  const { threadId } = thread;
  const ids = { text: useId(), type: useId() };
  const field = useRef<HTMLTextAreaElement>(null);
  const [type, setType] = useState('STATUS');
  const [state, setState] = useState<'idle' | 'sending' | 'kept' | Error>('idle');
  const [attachments, setAttachments] = useState(noAttachments);
  const attach = (files: Iterable<File>) => void withFiles(attachments, files).then(setAttachments);
  const text = drafts.value.get(threadId) ?? '';
  const write = (next: string) => {
    drafts.value = new Map(drafts.value).set(threadId, next);
  };
  useEffect(() => {
    if (replyTo !== undefined) field.current?.focus();
  }, [replyTo]);
  const send = async () => {
    const { files } = attachments;
    if ((text.trim() === '' && files.length === 0) || state === 'sending') return;
    setState('sending');
    try {
      const given = type === 'STATUS' ? undefined : type;
      const content = files.length === 0 ? text.trim() : contentOf(text.trim(), files);
      const outcome = await post({ threadId, content, type: given, replyTo: replyTo?.id });
      write('');
      setAttachments(noAttachments);
      onReplyEnd();
      setState(outcome === 'kept' ? 'kept' : 'idle');
    } catch (error) {
      if (error instanceof Error) setState(error);
    }
  };
  const isFilled = text !== '' || attachments.files.length > 0;
  const others = thread.participants.filter((id) => id !== me.value);
  const begun = startedMention(text);
  const suggested = begun === undefined ? [] : others.filter((id) => id.startsWith(begun)).slice(0, suggestedMax);
  const mention = (id: string) => {
    write(insertMention(text, id));
    field.current?.focus();
  };
  return (
    <div class="sticky-end">
      {state instanceof Error && <ErrorState error={state} />}
      {replyTo !== undefined && <ReplyTo to={replyTo} onEnd={onReplyEnd} />}
      {suggested.length > 0 && (
        <div class="chips composer-top" role="group" aria-label="Mention">
          {suggested.map((id) => (
            <button class="chip" type="button" onClick={() => mention(id)}>
              @{id}
            </button>
          ))}
        </div>
      )}
      <AttachedFiles attachments={attachments} onChange={setAttachments} />
      <form
        class={isFilled ? 'composer composer-filled' : 'composer'}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label class="vh" for={ids.text}>
          Message to this thread
        </label>
        <textarea
          ref={field}
          class="field"
          id={ids.text}
          rows={1}
          dir="auto"
          placeholder="Write to this thread"
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onPaste={(event) => {
            const files = [...(event.clipboardData?.files ?? [])];
            if (files.length === 0) return;
            event.preventDefault();
            attach(files);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send();
            if (
              event.key === 'Tab' &&
              !event.shiftKey &&
              begun !== undefined &&
              begun !== '' &&
              suggested[0] !== undefined
            ) {
              event.preventDefault();
              mention(suggested[0]);
            }
          }}
        />
        <p class="effect" role="status">
          {state === 'kept'
            ? 'Kept on this device. It is sent when you are back.'
            : effectOf({ text, others, replyTo: replyTo?.sender, members: members.value })}
        </p>
        <div class="composer-more">
          <AttachButton onFiles={attach} />
          <label class="vh" for={ids.type}>
            Type
          </label>
          <select
            class="field select"
            id={ids.type}
            value={type}
            onChange={({ currentTarget }) => setType(currentTarget.value)}
          >
            {types.map((each) => (
              <option>{each}</option>
            ))}
          </select>
        </div>
        <button class="btn btn-main" type="submit" disabled={state === 'sending'}>
          Send
        </button>
      </form>
    </div>
  );
}

function contentOf(text: string, files: readonly Attached[]): ContentBlock[] {
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files.map(({ block }) => block)];
}

function ReplyTo({ to, onEnd }: { to: Message; onEnd: () => void }) {
  return (
    <p class="composer-top replying">
      <Icon name="reply" />
      <span>
        Reply to <b dir="auto">{spelled(to.name ?? to.sender)}</b>
      </span>
      <button class="textlink" type="button" onClick={onEnd}>
        Not a reply
      </button>
    </p>
  );
}
