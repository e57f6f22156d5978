// Tells readers of the screen, politely, that a question has come or an answer was sent.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { sending } from '../data/answers.js';
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
  const onItsWay = Object.keys(sending.value);
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    const over = before.current.find((id) => !onItsWay.includes(id));
    before.current = onItsWay;
    if (over !== undefined && !questions.some(({ id }) => id === over)) told.value = 'Your answer was sent';
  }, [onItsWay.join(' ')]);
  return (
    <p class="vh" role="status" aria-live="polite">
      {told.value}
    </p>
  );
}
