// The title of the window: it begins with the number of questions that wait.
import { effect, signal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { waiting } from '../data/store.js';

export const title = signal('Inbox');

effect(() => {
  const count = waiting.value.length;
  document.title = `${count === 0 ? '' : `(${count}) `}${title.value} · Coterie`;
});

/** Before the effects of the page inside, which may know a better one. */
export function useRouteTitle(text: string): void {
  useLayoutEffect(() => {
    title.value = text;
  }, [text]);
}

export function useTitle(text: string): void {
  useEffect(() => {
    title.value = text;
  }, [text]);
}
