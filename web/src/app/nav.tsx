// One navigation: a bar at the bottom of a phone, at the side of a wide page.
import { hub, me } from '../data/hub.js';
import { waiting } from '../data/store.js';
import { team } from '../data/team.js';
import { Brand, Icon, type IconName } from '../parts/icon.js';
import { Presence } from '../parts/presence.js';
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
  { section: 'settings', href: '/app/settings', icon: 'settings', label: 'Settings' },
];

export function Nav({ section, isOut }: { section: Route['section'] | undefined; isOut: boolean }) {
  return (
    <nav class="nav" aria-label="Main">
      <a class="nav-wide brand-wrap" href="/">
        <Brand />
      </a>
      <ul class="nav-list">
        {(isOut ? [] : entries).map((entry) => (
          <li>
            <a href={entry.href} {...(entry.section === section ? { 'aria-current': 'page' as const } : {})}>
              <Icon name={entry.icon} />
              <span>{entry.label}</span>
              {entry.section === 'inbox' && <Waiting />}
            </a>
          </li>
        ))}
      </ul>
      <Team />
      <div class="nav-wide nav-foot">
        <p>
          Session <b>{hub.value?.signedIn?.session ?? 'default'}</b>
        </p>
        <p>
          {me.value === undefined ? (
            'Not signed in'
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

function Team() {
  if (team.value.length === 0) return null;
  return (
    <div class="nav-wide nav-threads">
      <p class="nav-h" id="h-team">
        Team
      </p>
      <ul aria-labelledby="h-team">
        {team.value.slice(0, teamMax).map(({ id, name, presence }) => (
          <li key={id} class="nav-row">
            <Presence state={presence} />
            <span>
              <bdi>{spellHidden(name)}</bdi>
            </span>
            <span class="vh"> {presence}</span>
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
