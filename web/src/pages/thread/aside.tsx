// Beside a thread: who is in it, what can be done with it, and what the marks mean.
import type { ThreadView } from '../../../../src/contract/thread.js';
import { isAudited, me } from '../../data/hub.js';
import { isAdmin, isObserver } from '../../data/rights.js';
import { members } from '../../data/team.js';
import { Pip } from '../../parts/pip.js';
import { Presence } from '../../parts/presence.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Section } from '../../parts/section.js';
import { Name, Who } from '../../parts/who.js';
import { ThreadActs } from './acts.js';
import { ExportThread } from './export-thread.js';
import type { OpenThread } from '../../data/threads/thread.js';

const listedMax = 40;

export function ThreadAside({ open, thread }: { open: OpenThread; thread: ThreadView }) {
  const { participants } = thread;
  return (
    <aside class="aside aside-sticky" aria-label="About this thread">
      <Section id="h-mem" title="Members">
        <ul class="rows">
          {participants.slice(0, listedMax).map((id) => (
            <li key={id}>
              <MemberRow id={id} />
            </li>
          ))}
        </ul>
        {participants.length > listedMax && <p class="row-sub">and {participants.length - listedMax} more</p>}
      </Section>
      <Section id="h-do" title="This thread">
        <ThreadActs open={open} thread={thread} />
        <p class="rows-gap">
          <ReplayLink {...thread} />
        </p>
        <ExportThread threadId={thread.threadId} />
      </Section>
      <Section id="h-read" title="Receipts">
        <ul class="facts">
          <Legend state="read" words="read" />
          <Legend state="delivered" words="handed out, not yet confirmed" />
          <Legend state="pending" words="not yet" />
          <Legend state="dead_lettered" words="dead letter" />
        </ul>
        <ReceiptRights />
      </Section>
      <p class="keys">
        <span>
          <kbd>J</kbd>
          <kbd>K</kbd>move
        </span>
        <span>
          <kbd>R</kbd>reply
        </span>
        <span>
          <kbd>I</kbd>receipts
        </span>
        <span>
          <kbd>T</kbd>fold tools
        </span>
        <span>
          <kbd>?</kbd>all keys
        </span>
      </p>
    </aside>
  );
}

/** With keys, whose receipts are shown. */
function ReceiptRights() {
  if (!isAudited.value) return null;
  const words = isAdmin.value
    ? 'Those of others are read when you ask for them: each reading is in the audit log.'
    : isObserver.value
      ? 'You look on: receipts are for senders and administrators.'
      : 'You see those of your own messages. An administrator sees all.';
  return <p class="effect">{words}</p>;
}

function MemberRow({ id }: { id: string }) {
  const known = members.value.get(id);
  return (
    <a class="row" href={`/app/agent/${encodeURIComponent(id)}`}>
      <Who id={id} />
      <div class="row-main">
        <p>
          <Name id={id} name={known?.name} />
          {id === me.value && <span class="row-sub"> you</span>}
        </p>
        {known !== undefined && (
          <p class="row-sub">
            <span class="presence">
              <Presence state={known.presence} />
              {known.presence}
            </span>
            {known.wake?.text !== undefined && <> · {spellHidden(known.wake.text)}</>}
          </p>
        )}
      </div>
    </a>
  );
}

function Legend({ state, words }: { state: 'read' | 'delivered' | 'pending' | 'dead_lettered'; words: string }) {
  return (
    <li class="presence">
      <span class="pips" aria-hidden="true">
        <Pip state={state} />
      </span>
      {words}
    </li>
  );
}

/** The same in a line, for a phone. */
export function MembersLine(thread: ThreadView) {
  const { participants } = thread;
  const others = participants.filter((id) => id !== me.value);
  return (
    <p class="members">
      {others.slice(0, 8).map((id) => {
        const presence = members.value.get(id)?.presence;
        return (
          <span class="presence">
            {presence !== undefined && <Presence state={presence} />}
            <bdi>{spellHidden(id)}</bdi> {presence}
          </span>
        );
      })}
      {others.length > 8 && <span>and {others.length - 8} more</span>}
      {others.length < participants.length && <span>and you</span>}
      <ReplayLink {...thread} />
    </p>
  );
}

function ReplayLink({ threadId }: ThreadView) {
  return <a href={`/app/thread/${encodeURIComponent(threadId)}/replay`}>Replay</a>;
}
