// What a person should look at, the most urgent first. Calm when there is nothing.
import type { ComponentChildren } from 'preact';
import { minute, now } from '../../data/clock.js';
import { channels, deadLetters, lastHour } from '../../data/overview.js';
import { waiting } from '../../data/store.js';
import { everyone } from '../../data/team.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { isOfThread } from '../../parts/message-path.js';
import { Section } from '../../parts/section.js';
import { State } from '../../parts/state.js';
import { duration, timeLeft } from '../../parts/words/time-words.js';
import { kindNames } from '../settings/channel-words.js';
import { oldMail } from './old-mail.js';

interface Matter {
  icon: IconName;
  tone?: 'c-warn' | 'c-bad';
  isMine?: boolean;
  title: ComponentChildren;
  text: ComponentChildren;
  href: string;
  act: string;
}

export function AttentionSection() {
  const matters = [...questions(), ...faults(), ...loops(), ...lateReaders(), ...letters()];
  return (
    <Section id="h-att" title={<>Needs attention {matters.length > 0 && <b class="count">{matters.length}</b>}</>}>
      {matters.length === 0 ? (
        <State icon="success" title="Nothing needs you.">
          No open question, no dead letter, no loop, every channel works.
        </State>
      ) : (
        <ul class="rows">
          {matters.map(({ icon, tone, isMine, title, text, href, act }) => (
            <li class={isMine === true ? 'att-you' : ''}>
              <div class="row">
                <span class={tone ?? ''}>
                  <Icon name={icon} />
                </span>
                <div class="row-main">
                  <p>
                    <b>{title}</b>
                  </p>
                  <p class="row-sub">{text}</p>
                </div>
                <span class="row-act">
                  <a class="btn" href={href}>
                    {act}
                  </a>
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function questions(): Matter[] {
  const [first] = waiting.value;
  const count = waiting.value.length;
  if (first === undefined) return [];
  const end = first.expiresAt;
  return [
    {
      icon: 'inbox',
      isMine: true,
      title: count === 1 ? 'A question waits for you' : `${count} questions wait for you`,
      text: end === undefined ? 'They have no end.' : `The next one: ${timeLeft(Date.parse(end) - now.value)}.`,
      href: '/',
      act: 'Answer',
    },
  ];
}

function faults(): Matter[] {
  return (channels.value ?? [])
    .filter(({ fault }) => fault !== undefined)
    .map(({ kind, fault }) => ({
      icon: 'error' as const,
      tone: 'c-bad' as const,
      title: `A channel fails: ${kindNames[kind]}`,
      text: spellHidden(fault ?? ''),
      href: '/app/settings#channels',
      act: 'Look',
    }));
}

const loopsMax = 5;

/** Of the last hour. */
function loops(): Matter[] {
  return (lastHour.value?.loops ?? []).slice(0, loopsMax).map(({ agents, threadId, at, times }) => {
    const [first = ''] = agents;
    const isPair = agents.length > 1;
    return {
      icon: 'loop' as const,
      tone: 'c-warn' as const,
      title: (
        <>
          <Names ids={agents} /> {isPair ? 'only answer each other' : 'is in a chain of quick replies'}
        </>
      ),
      text: `The hub stopped it${times === 1 ? '' : ` ${times} times, the last time`} ${duration(now.value - Date.parse(at))} ago.`,
      href:
        threadId !== undefined && isOfThread(threadId)
          ? `/app/thread/${threadId}`
          : `/app/agent/${encodeURIComponent(first)}`,
      act: 'Look',
    };
  });
}

function Names({ ids }: { ids: readonly string[] }) {
  return (
    <>
      {ids.map((id, index) => (
        <>
          {index > 0 && ' and '}
          <bdi>{spellHidden(id)}</bdi>
        </>
      ))}
    </>
  );
}

function lateReaders(): Matter[] {
  return oldMail(everyone.value, minute.value).map(({ id, unread = 0, oldestUnread, presence, lastSeen, wake }) => ({
    icon: 'clock' as const,
    tone: 'c-warn' as const,
    title: (
      <>
        <bdi>{spellHidden(id)}</bdi> has old mail
      </>
    ),
    text: (
      <>
        {unread} unread
        {oldestUnread !== undefined && `, the oldest for ${duration(now.value - Date.parse(oldestUnread))}`}. It is{' '}
        {spellHidden(wake?.text ?? presence)}
        {lastSeen !== undefined && `, last seen ${duration(now.value - Date.parse(lastSeen))} ago`}.
      </>
    ),
    href: `/app/agent/${encodeURIComponent(id)}`,
    act: 'Open',
  }));
}

function letters(): Matter[] {
  const found = deadLetters.value;
  const count = found?.letters.length ?? 0;
  if (found === undefined || found === null || count === 0) return [];
  const [first] = found.letters;
  return [
    {
      icon: 'dead',
      title: `${count}${found.hasMore ? ' or more' : ''} dead ${count === 1 ? 'letter' : 'letters'}`,
      text: `The last one: ${first?.reason ?? ''}.`,
      href: '#dead',
      act: 'Look',
    },
  ];
}
