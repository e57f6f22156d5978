// Who talks to whom: agents as nodes, lines by volume. A click shows one agent's only.
import { useEffect, useRef, useState } from 'preact/hooks';
import { inQuery, setQuery } from '../../app/router.js';
import { me } from '../../data/hub.js';
import { lastDay } from '../../data/overview.js';
import { members, people } from '../../data/team.js';
import { Bones } from '../../parts/bones.js';
import { spelled, spellHidden } from '../../parts/hidden-chars.js';
import { Section } from '../../parts/section.js';
import { whileSeen } from '../../parts/seen.js';
import { edgesOf, type Edge } from './talk-edges.js';
import type { layOut, Placed } from './talk-layout.js';

const talkSize = { width: 360, height: 272 };

export function TalkSection() {
  const place = useRef<HTMLDivElement>(null);
  const [lay, setLay] = useState<typeof layOut | undefined>(undefined);
  useEffect(
    () =>
      whileSeen(place.current, () => {
        import('./talk-layout.js').then(
          (loaded) => setLay(() => loaded.layOut),
          () => undefined,
        );
        return () => {};
      }),
    [],
  );
  const day = lastDay.value;
  const who = inQuery('who');
  const edges = edgesOf(day?.pairs ?? [], who);
  return (
    <Section
      id="h-who"
      title="Who talks to whom, last 24 h"
      end={
        who !== undefined && (
          <button class="textlink end" type="button" onClick={() => setQuery({ who: undefined })}>
            Show all
          </button>
        )
      }
    >
      <div ref={place}>
        {day === undefined && <Bones label="Loading the picture" />}
        {day !== undefined && edges.length === 0 && <p class="effect">No one has written to anyone yet.</p>}
        {edges.length > 0 && lay !== undefined && <Picture edges={edges} placed={lay(edges, talkSize)} who={who} />}
        {edges.length > 0 && <Words edges={edges} />}
      </div>
    </Section>
  );
}

interface PictureProps {
  edges: readonly Edge[];
  placed: ReadonlyMap<string, Placed>;
  who: string | undefined;
}

function Picture({ edges, placed, who }: PictureProps) {
  const most = Math.max(...edges.map(({ messages }) => messages));
  return (
    <svg
      class="talk"
      viewBox={`0 0 ${talkSize.width} ${talkSize.height}`}
      role="group"
      aria-label="Who talks to whom, messages in the last 24 hours"
    >
      {edges.map(({ a, b, messages }) => {
        const [from, to] = [placed.get(a), placed.get(b)];
        if (from === undefined || to === undefined) return null;
        const width = 1 + (8 * messages) / most;
        return <line class="e" x1={from.x} y1={from.y} x2={to.x} y2={to.y} stroke-width={width.toFixed(1)} />;
      })}
      {edges.slice(0, labelledMax).map(({ a, b, messages }) => {
        const [from, to] = [placed.get(a), placed.get(b)];
        if (from === undefined || to === undefined) return null;
        return (
          <text class="n" x={(from.x + to.x) / 2} y={(from.y + to.y) / 2}>
            {messages}
          </text>
        );
      })}
      {[...placed].map(([id, at]) => (
        <Node key={id} id={id} at={at} isChosen={id === who} />
      ))}
    </svg>
  );
}

const labelledMax = 12;
const labelChars = 9;

function Node({ id, at, isChosen }: { id: string; at: Placed; isChosen: boolean }) {
  const isPerson = people.value.has(id);
  const isOff = members.value.get(id)?.presence === 'offline';
  const look = `node${id === me.value ? ' node-you' : ''}${isOff ? ' node-off' : ''}`;
  const label = spelled(id);
  return (
    <a
      href={`/app/overview?who=${encodeURIComponent(id)}`}
      aria-label={isChosen ? `${label}: show all` : `${label}: show only its messages`}
      onClick={(event) => {
        event.preventDefault();
        setQuery({ who: isChosen ? undefined : id });
      }}
    >
      {isPerson ? (
        <circle class={look} cx={at.x} cy={at.y} r="23" />
      ) : (
        <rect class={look} x={at.x - 24} y={at.y - 17} width="48" height="34" rx="9" />
      )}
      <text class={id === me.value ? 't-you' : ''} x={at.x} y={at.y}>
        {label.length > labelChars ? `${label.slice(0, labelChars - 1)}…` : label}
      </text>
    </a>
  );
}

const wordsMax = 8;

/** The same as a list: the picture is not for everyone. */
function Words({ edges }: { edges: readonly Edge[] }) {
  return (
    <details class="talk-words">
      <summary class="textlink">As a list</summary>
      <ul>
        {edges.slice(0, wordsMax).map(({ a, b, messages }) => (
          <li>
            <bdi>{spellHidden(a)}</bdi> and <bdi>{spellHidden(b)}</bdi>: {messages}
          </li>
        ))}
      </ul>
    </details>
  );
}
