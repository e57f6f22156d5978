// The heading of the page, and the title of the window, which begins with the number of questions that wait.
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { waiting } from '../data/store.js';

export const heading = signal('Inbox');

effect(() => {
  const count = waiting.value.length;
  document.title = `${count === 0 ? '' : `(${count}) `}${heading.value} · Coterie`;
});

export function useTitle(title: string): void {
  useEffect(() => {
    heading.value = title;
  }, [title]);
}
