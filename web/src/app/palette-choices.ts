// What the palette offers for a text. A function of its arguments alone.
import type { IconName } from '../parts/icon.js';

export interface Choice {
  icon: IconName;
  title: string;
  kind: string;
  href: string;
}

interface Named {
  id: string;
  title: string;
}

export interface Places {
  threads: readonly Named[];
  agents: readonly Named[];
  questions: readonly Named[];
}

const pages: readonly Choice[] = [
  { icon: 'inbox', title: 'Inbox', kind: 'page', href: '/' },
  { icon: 'threads', title: 'Threads', kind: 'page', href: '/app/threads' },
  { icon: 'overview', title: 'Overview', kind: 'page', href: '/app/overview' },
  { icon: 'overview', title: 'Replay of the session', kind: 'page', href: '/app/replay' },
  { icon: 'find', title: 'Find', kind: 'page', href: '/app/find' },
  { icon: 'settings', title: 'Settings', kind: 'page', href: '/app/settings' },
];

const choicesMax = 12;

/** Pages and names that contain the text, then the search for it. */
export function choicesFor(text: string, { threads, agents, questions }: Places): Choice[] {
  const words = text.trim().toLowerCase();
  const places: Choice[] = [
    ...pages,
    ...questions.map(({ id, title }) => ({
      icon: 'inbox' as const,
      title,
      kind: 'question',
      href: `/app/question/${id}`,
    })),
    ...threads.map(({ id, title }) => ({
      icon: 'threads' as const,
      title,
      kind: 'thread',
      href: `/app/thread/${encodeURIComponent(id)}`,
    })),
    ...agents.map(({ id, title }) => ({
      icon: 'overview' as const,
      title: title === id ? id : `${title} (${id})`,
      kind: 'agent',
      href: `/app/agent/${encodeURIComponent(id)}`,
    })),
  ];
  const found = places.filter(({ title }) => title.toLowerCase().includes(words)).slice(0, choicesMax);
  if (words === '') return found;
  const search = `/app/find?q=${encodeURIComponent(text.trim())}`;
  return [...found, { icon: 'find', title: `Find “${text.trim()}”`, kind: 'search', href: search }];
}
