// The order of the questions that wait.
import { useRef } from 'preact/hooks';
import { loading, type Question } from '../../data/store.js';

/** The page never jumps under a thumb: while it is open, questions keep their places and new ones come last. */
export function useSteadyOrder(questions: readonly Question[]) {
  const places = useRef<Map<string, number>>(undefined);
  const isFirst = useRef(true);
  const fresh = useRef(new Set<string>());
  places.current ??= new Map();
  for (const { id } of questions) {
    if (places.current.has(id)) continue;
    if (!isFirst.current) fresh.current.add(id);
    places.current.set(id, places.current.size);
  }
  if (loading.value.isLoaded) isFirst.current = false;
  const placeOf = (id: string) => places.current?.get(id) ?? 0;
  return {
    questions: questions.toSorted((a, b) => placeOf(a.id) - placeOf(b.id)),
    isFresh: (id: string) => fresh.current.has(id),
  };
}
