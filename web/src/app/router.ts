// The path in the address bar as a signal. Links of the app change it without loading the page again.
import { signal } from '@preact/signals';

export const path = signal(location.pathname);
/** What follows the path: filters, and the message that a link names. */
export const query = signal(location.search);

function follow(): void {
  path.value = location.pathname;
  query.value = location.search;
}

export function go(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search + location.hash) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  const isSamePage = path.value === location.pathname;
  follow();
  // A filter changes what is listed, not where the reader is.
  if (!isSamePage) scrollTo(0, 0);
}

export function inQuery(name: string): string | undefined {
  return new URLSearchParams(query.value).get(name) ?? undefined;
}

/** Changes the address without an entry in the history: Back leads to the page before, not to the last filter. */
export function setQuery(values: Record<string, string | undefined>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  go(`${location.pathname}${text === '' ? '' : `?${text}`}`, { replace: true });
}

export function followLinks(): void {
  addEventListener('popstate', follow);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!isPage(link.pathname) || (link.pathname === location.pathname && link.hash !== '')) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

function isPage(pathname: string): boolean {
  return pathname === '/' || pathname.startsWith('/app/');
}

/** The values of `:names` in the pattern, or undefined if the path is another. */
export function match(pattern: string, pathname: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = pathname.replace(/(?<=.)\/$/, '').split('/');
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) values[part.slice(1)] = decoded(value);
    else if (part !== value) return undefined;
  }
  return values;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
