// Every page of the app. One that the first view does not need is loaded when it is opened.
import type { ComponentType } from 'preact';
import { HistoryPage } from '../pages/history.js';
import { InboxPage } from '../pages/inbox.js';
import { MessagePage } from '../pages/message.js';
import { QuestionPage } from '../pages/question.js';
import { match } from './router.js';

/** What a page gets: the values in its path. */
export interface PageProps {
  params: Record<string, string>;
}

type Page = ComponentType<PageProps>;

export interface Route {
  path: string;
  /** Of the heading; a page may set another with `useTitle`. */
  title: string;
  /** The entry of the navigation that it belongs to. */
  section: 'inbox' | 'threads' | 'overview' | 'find' | 'settings';
  /** Its heading is what the page sets with `useTitle`. */
  isTitled?: true;
  page?: Page;
  /** In place of `page`. */
  load?: () => Promise<Page>;
  /** Shown to those who are not signed in as well. */
  isPublic?: true;
}

const routes: readonly Route[] = [
  { path: '/', title: 'Inbox', section: 'inbox', page: InboxPage },
  { path: '/app/inbox', title: 'Inbox', section: 'inbox', page: InboxPage },
  { path: '/app/history', title: 'Answered and over', section: 'inbox', page: HistoryPage },
  { path: '/app/question/:id', title: 'Question', section: 'inbox', page: QuestionPage },
  { path: '/app/message/:id', title: 'Message', section: 'inbox', isTitled: true, page: MessagePage },
  {
    path: '/app/threads',
    title: 'Threads',
    section: 'threads',
    load: async () => (await import('../pages/threads.js')).ThreadsPage,
  },
  {
    path: '/app/thread/:id',
    title: 'Thread',
    section: 'threads',
    isTitled: true,
    load: async () => (await import('../pages/thread.js')).ThreadPage,
  },
  {
    path: '/app/thread/:id/replay',
    title: 'Replay',
    section: 'threads',
    isTitled: true,
    load: async () => (await import('../pages/replay.js')).ReplayPage,
  },
  {
    path: '/app/replay',
    title: 'Replay of the session',
    section: 'overview',
    load: async () => (await import('../pages/replay-session.js')).SessionReplayPage,
  },
  {
    path: '/app/overview',
    title: 'Overview',
    section: 'overview',
    load: async () => (await import('../pages/overview.js')).OverviewPage,
  },
  {
    path: '/app/agent/:id',
    title: 'Agent',
    section: 'overview',
    isTitled: true,
    load: async () => (await import('../pages/agent.js')).AgentPage,
  },
  {
    path: '/app/find',
    title: 'Find',
    section: 'find',
    load: async () => (await import('../pages/find.js')).FindPage,
  },
  {
    path: '/app/pair',
    title: 'Pair this device',
    section: 'settings',
    isPublic: true,
    load: async () => (await import('../pages/pair.js')).PairPage,
  },
  {
    path: '/app/sign-in',
    title: 'Sign in',
    section: 'settings',
    isPublic: true,
    load: async () => (await import('../pages/sign-in.js')).SignInPage,
  },
  {
    path: '/app/observe',
    title: 'Look on',
    section: 'settings',
    isPublic: true,
    load: async () => (await import('../pages/observe.js')).ObservePage,
  },
  {
    path: '/app/admin',
    title: 'Administration',
    section: 'settings',
    load: async () => (await import('../pages/admin.js')).AdminPage,
  },
  {
    path: '/app/settings',
    title: 'Settings',
    section: 'settings',
    load: async () => (await import('../pages/settings.js')).SettingsPage,
  },
];

export interface Matched {
  route: Route;
  params: Record<string, string>;
}

export function routeOf(pathname: string): Matched | undefined {
  for (const route of routes) {
    const params = match(route.path, pathname);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}
