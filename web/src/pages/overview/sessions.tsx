// The sessions that this person administers.
import { sessions } from '../../data/overview.js';
import { hub } from '../../data/hub.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/words/time.js';

export function SessionsSection() {
  const found = sessions.value;
  const all = found ?? [];
  return (
    <Section
      id="h-ses"
      title={<>Sessions {all.length > 0 && <b class="count">{all.length}</b>}</>}
      end={
        <a class="textlink end" href="/app/replay">
          Replay this one
        </a>
      }
    >
      {found === null && (
        <p class="effect">
          You are in <b>{spellHidden(hub.value?.signedIn?.session ?? 'default')}</b>. The list is for admins.
        </p>
      )}
      {all.length > 0 && (
        <ul class="rows">
          {all.map(({ sessionId, status, agents, threads, lastSeq, createdAt, application }) => (
            <li key={sessionId}>
              <div class="row row-2">
                <div class="row-main">
                  <p>
                    <b class="mono">{spellHidden(sessionId)}</b>
                    {application !== undefined && <bdi> {spellHidden(application)}</bdi>}
                  </p>
                  <p class="row-sub">
                    {agents} members, {threads} threads, {lastSeq} messages{status === 'closed' && ', closed'}
                  </p>
                </div>
                <Time at={createdAt} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
