// Title of the page, the way back, and whether what is shown is live.
import { hub } from '../data/hub.js';
import { isIn } from '../data/rights.js';
import { connection, isOnline } from '../data/live.js';
import { waiting } from '../data/store.js';
import { Icon } from '../parts/icon.js';
import { Position } from '../pages/position.js';
import type { Matched, Route } from './routes.js';
import { title } from './title.js';

/** The first page of each entry of the navigation, and the way back to it. */
const tops: Record<Route['section'], { href: string; label: string }> = {
  inbox: { href: '/', label: 'Inbox' },
  threads: { href: '/app/threads', label: 'Threads' },
  overview: { href: '/app/overview', label: 'Overview' },
  find: { href: '/app/find', label: 'Find' },
  settings: { href: '/app/settings', label: 'Settings' },
};

export function TopBar({ matched }: { matched: Matched | undefined }) {
  const path = matched?.route.path;
  const top = tops[matched?.route.section ?? 'inbox'];
  // Who is not signed in has no other page to go back to.
  const isInside = isIn.value && path !== undefined && path !== '/app/inbox' && path !== top.href;
  return (
    <header class="top">
      {isInside && (
        <a class="back" href={top.href}>
          <Icon name="back" />
          {top.label}
        </a>
      )}
      <h1 class="top-clip" dir="auto">
        {headingOf(matched)}
      </h1>
      <div class="top-side">
        {matched?.route.path === '/app/question/:id' ? <Position id={matched.params['id'] ?? ''} /> : <Live />}
      </div>
    </header>
  );
}

function headingOf(matched: Matched | undefined): string {
  if (matched?.route.isTitled === true) return title.value;
  const id = matched?.params['id'];
  const isPermission = waiting.value.some((question) => question.id === id && question.kind === 'permission');
  return isPermission ? 'Permission' : (matched?.route.title ?? 'Not found');
}

function Live() {
  const { state } = connection.value;
  if (!isOnline.value) return <span class="live live-off">Offline</span>;
  if (hub.value !== undefined && !isIn.value) return <span class="live live-off">Not paired</span>;
  if (state === 'live') return <span class="live">Live</span>;
  return <span class="live live-off">{state === 'connecting' ? 'Connecting' : 'Not live'}</span>;
}
