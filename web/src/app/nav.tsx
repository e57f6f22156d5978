// One navigation: a bar at the bottom of a phone, at the side of a wide page.
import { hub, me } from '../data/hub.js';
import { isObserver } from '../data/rights.js';
import { waiting } from '../data/store.js';
import { team } from '../data/team.js';
import { openThreads } from '../data/threads/threads.js';
import { Brand, Icon, type IconName } from '../parts/icon.js';
import { Presence } from '../parts/presence.js';
import { path } from './router.js';
import type { Route } from './routes.js';
import { spellHidden } from '../parts/hidden-chars.js';

interface Entry {
  section: Route['section'];
  href: string;
  icon: IconName;
  label: string;
}

const teamMax = 20;

const entries: readonly Entry[] = [
  { section: 'inbox', href: '/', icon: 'inbox', label: 'Inbox' },
  { section: 'threads', href: '/app/threads', icon: 'threads', label: 'Threads' },
  { section: 'overview', href: '/app/overview', icon: 'overview', label: 'Overview' },
  { section: 'find', href: '/app/find', icon: 'find', label: 'Find' },
  { section: 'settings', href: '/app/settings', icon: 'settings', label: 'Settings' },
];

export function Nav({ section, isOut }: { section: Route['section'] | undefined; isOut: boolean }) {
  return (
    <nav class="nav" aria-label="Main">
      <a class="nav-wide brand-wrap" href="/">
        <Brand />
      </a>
      <ul class="nav-list">
        {(isOut ? [] : entries.filter(({ section: name }) => name !== 'inbox' || !isObserver.value)).map((entry) => (
          <li>
            <a href={entry.href} {...(entry.section === section ? { 'aria-current': 'page' as const } : {})}>
              <Icon name={entry.icon} />
              <span>{entry.label}</span>
              {entry.section === 'inbox' && <Waiting />}
            </a>
          </li>
        ))}
      </ul>
      {!isOut && <Threads />}
      <Team />
      <div class="nav-wide nav-foot">
        <p>
          Session <b>{hub.value?.signedIn?.session ?? 'default'}</b>
        </p>
        <p>
          {me.value === undefined ? (
            isObserver.value ? (
              'Looking on, as an observer'
            ) : (
              'Not signed in'
            )
          ) : (
            <>
              Signed in as{' '}
              <b>
                <bdi>{hub.value?.signedIn?.personName ?? me.value}</bdi>
              </b>
            </>
          )}
        </p>
      </div>
    </nav>
  );
}

function Threads() {
  if (openThreads.value.length === 0) return null;
  return (
    <div class="nav-wide nav-threads">
      <p class="nav-h" id="h-threads">
        Threads
      </p>
      <ul aria-labelledby="h-threads">
        {openThreads.value.map(({ threadId, title, unread }) => (
          <li key={threadId}>
            <a
              href={threadPath(threadId)}
              {...(path.value === threadPath(threadId) ? { 'aria-current': 'page' as const } : {})}
            >
              <span>
                <bdi>{spellHidden(title)}</bdi>
              </span>
              {unread > 0 && (
                <b class="count">
                  {unread}
                  <span class="vh"> unread</span>
                </b>
              )}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function threadPath(id: string): string {
  return `/app/thread/${encodeURIComponent(id)}`;
}

function Team() {
  if (team.value.length === 0) return null;
  return (
    <div class="nav-wide nav-threads">
      <p class="nav-h" id="h-team">
        Team
      </p>
      <ul aria-labelledby="h-team">
        {team.value.slice(0, teamMax).map(({ id, name, presence }) => (
          <li key={id}>
            <a href={`/app/agent/${encodeURIComponent(id)}`}>
              <Presence state={presence} />
              <span>
                <bdi>{spellHidden(name)}</bdi>
              </span>
              <span class="vh"> {presence}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Waiting() {
  const count = waiting.value.length;
  if (count === 0) return null;
  return (
    <b class="count count-you">
      <span class="vh">, waiting for you: </span>
      {count}
    </b>
  );
}
