// The page that the address names, loaded if need be.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hub } from '../data/hub.js';
import { isObserver } from '../data/rights.js';
import { Looking } from '../parts/looking.js';
import { Bones } from '../parts/bones.js';
import { State } from '../parts/state.js';
import type { Matched, PageProps, Route } from './routes.js';
import type { ComponentType } from 'preact';
import { useRouteTitle } from './title.js';
import { go } from './router.js';

const loaded = signal<ReadonlyMap<Route, ComponentType<PageProps>>>(new Map());
const failed = signal<ReadonlySet<Route>>(new Set());

export function PageOf({ matched, isOut }: { matched: Matched | undefined; isOut: boolean }) {
  const route = matched?.route;
  useRouteTitle(route?.title ?? 'Not found');
  useEffect(() => {
    if (route !== undefined) void load(route);
  }, [route]);
  useEffect(() => {
    if (isOut && route?.isPublic !== true) go('/app/pair', { replace: true });
  }, [isOut, route]);
  if (matched === undefined) return <Missing />;
  if (hub.value === undefined && route?.isPublic !== true) return <Bones label="Loading" />;
  if (isOut && route?.isPublic !== true) return null;
  if (matched.route.section === 'inbox' && isObserver.value) return <Looking />;
  if (failed.value.has(matched.route)) return <NotLoaded />;
  const Page = pageOf(matched.route);
  // Another question is another page: nothing of the last one's state may stay.
  return Page === undefined ? (
    <Bones label="Loading" />
  ) : (
    <Page key={JSON.stringify(matched.params)} params={matched.params} />
  );
}

function pageOf(route: Route): ComponentType<PageProps> | undefined {
  return route.load === undefined ? route.page : loaded.value.get(route);
}

async function load(route: Route): Promise<void> {
  if (route.load === undefined || loaded.value.has(route)) return;
  try {
    loaded.value = new Map(loaded.value).set(route, await route.load());
    failed.value = new Set();
  } catch {
    failed.value = new Set(failed.value).add(route);
  }
}

function NotLoaded() {
  const again = (
    <button class="btn" type="button" onClick={() => location.reload()}>
      Load again
    </button>
  );
  return (
    <State tone="bad" icon="error" title="This page could not be loaded." actions={again}>
      There is no connection, or the hub was updated meanwhile.
    </State>
  );
}

function Missing() {
  const home = (
    <a class="btn" href="/">
      To the inbox
    </a>
  );
  return (
    <State tone="bad" icon="error" title="This page does not exist." actions={home}>
      The link may be of another version.
    </State>
  );
}
