// Tells readers of the screen, politely, that a question has come.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loading, waiting } from '../data/store.js';

const told = signal('');
let known: Set<string> | undefined;

export function News() {
  const questions = waiting.value;
  const { isLoaded } = loading.value;
  useEffect(() => {
    if (!isLoaded) return;
    const fresh = questions.filter(({ id }) => known !== undefined && !known.has(id));
    known = new Set(questions.map(({ id }) => id));
    const [first] = fresh;
    if (first !== undefined) {
      told.value = fresh.length === 1 ? `${first.fromName ?? first.from} asks you` : `${fresh.length} new questions`;
    }
  }, [questions, isLoaded]);
  return (
    <p class="vh" role="status" aria-live="polite">
      {told.value}
    </p>
  );
}
