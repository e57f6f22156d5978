// Title of the page, the way back, and whether what is shown is live.
import { hub, me } from '../data/hub.js';
import { connection, isOnline } from '../data/live.js';
import { waiting } from '../data/store.js';
import { Icon } from '../parts/icon.js';
import { Position } from '../pages/position.js';
import type { Matched } from './routes.js';

export function TopBar({ matched }: { matched: Matched | undefined }) {
  const path = matched?.route.path;
  // Who is not signed in has no other page to go back to.
  const isInside =
    me.value !== undefined && path !== undefined && path !== '/' && path !== '/app/inbox' && path !== '/app/settings';
  return (
    <header class="top">
      {isInside && (
        <a class="back" href={matched?.route.section === 'settings' ? '/app/settings' : '/'}>
          <Icon name="back" />
          {matched?.route.section === 'settings' ? 'Settings' : 'Inbox'}
        </a>
      )}
      <h1 class="top-clip">{headingOf(matched)}</h1>
      <div class="top-side">
        {matched?.route.path === '/app/question/:id' ? <Position id={matched.params['id'] ?? ''} /> : <Live />}
      </div>
    </header>
  );
}

function headingOf(matched: Matched | undefined): string {
  const id = matched?.params['id'];
  const isPermission = waiting.value.some((question) => question.id === id && question.kind === 'permission');
  return isPermission ? 'Permission' : (matched?.route.title ?? 'Not found');
}

function Live() {
  const { state } = connection.value;
  if (!isOnline.value) return <span class="live live-off">Offline</span>;
  if (hub.value !== undefined && me.value === undefined) return <span class="live live-off">Not paired</span>;
  if (state === 'live') return <span class="live">Live</span>;
  return <span class="live live-off">{state === 'connecting' ? 'Connecting' : 'Not live'}</span>;
}
