// Threads by what is typed: those that the page knows at once, then what the hub finds among all.
import { useEffect, useState } from 'preact/hooks';
import { findThreads, openThreads, type ListedThread } from './threads.js';

const pauseMs = 150;

/** Undefined while nothing is typed. */
export function useFoundThreads(typed: string | undefined): readonly ListedThread[] {
  const words = typed?.trim() ?? '';
  const [found, setFound] = useState<{ words: string; threads: readonly ListedThread[] }>({ words: '', threads: [] });
  useEffect(() => {
    if (words === '') return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      findThreads(words).then(
        (threads) => !isOver && setFound({ words, threads }),
        // There are still those that the page knows.
        () => undefined,
      );
    }, pauseMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [words]);
  const known = openThreads.value.filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()));
  if (words === '') return known;
  const others = found.words === words ? found.threads : [];
  return [...known, ...others.filter(({ threadId }) => known.every((thread) => thread.threadId !== threadId))];
}
