// Agents and people: presence, how they are woken, connections, unread, last seen.
import { useState } from 'preact/hooks';
import { now } from '../../data/clock.js';
import { everyone, type Member } from '../../data/team.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Presence } from '../../parts/presence.js';
import { Section } from '../../parts/section.js';
import { duration } from '../../parts/words/time-words.js';
import { Who } from '../../parts/who.js';
import { wakeWords } from './wake-words.js';

const shownAtFirst = 50;

export function AgentsSection() {
  const [shownMax, setShownMax] = useState(shownAtFirst);
  const all = everyone.value.toSorted(byPresence);
  return (
    <Section
      id="h-ag"
      title={
        <>
          Agents and people <b class="count">{all.length}</b>
        </>
      }
    >
      <table class="grid" aria-labelledby="h-ag">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Presence</th>
            <th scope="col">Wakes</th>
            <th scope="col" class="num">
              Connections
            </th>
            <th scope="col" class="num">
              Unread
            </th>
            <th scope="col">Last seen</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, shownMax).map((member) => (
            <MemberRow key={member.id} member={member} />
          ))}
        </tbody>
      </table>
      {all.length > shownMax && (
        <button class="textlink" type="button" onClick={() => setShownMax(shownMax + 200)}>
          Show more
        </button>
      )}
    </Section>
  );
}

function MemberRow({ member }: { member: Member }) {
  const { id, name, presence, connections, unread, lastSeen } = member;
  const { text, isLost } = wakeWords(member);
  return (
    <tr id={`agent-${id}`}>
      <td>
        <a class="idcell" href={`/app/agent/${encodeURIComponent(id)}`} data-item>
          <Who id={id} />
          <span>
            <bdi>{spellHidden(name)}</bdi>
          </span>
        </a>
      </td>
      <td>
        <span class="presence">
          <Presence state={presence} />
          {presence}
        </span>
      </td>
      <td class="full">{isLost ? <b class="c-warn">{spellHidden(text)}</b> : spellHidden(text)}</td>
      <td class="num" data-label="connections">
        {connections ?? 0}
      </td>
      <td class="num" data-label="unread">
        {unread}
      </td>
      <td data-label="seen">{lastSeen === undefined ? '' : seen(now.value - Date.parse(lastSeen))}</td>
    </tr>
  );
}

function seen(ms: number): string {
  return ms < 5_000 ? 'now' : `${duration(ms)} ago`;
}

const order = { waiting: 0, active: 1, idle: 2, offline: 3 } as const;

function byPresence(a: Member, b: Member): number {
  return order[a.presence] - order[b.presence] || (a.id < b.id ? -1 : 1);
}
