// Where the focus goes when the card that had it is answered and disappears.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** To the card that takes its place, or the last one. The answer is for the element around the cards. */
export function useFocusKept(ids: readonly string[]) {
  const around = useRef<HTMLDivElement>(null);
  /** Of the card that has the focus; -1 if none has. */
  const place = useRef(-1);
  const cards = () => [...(around.current?.children ?? [])].filter((card) => card instanceof HTMLElement);
  useLayoutEffect(() => {
    if (place.current === -1 || document.activeElement !== document.body) return;
    const all = cards();
    // The page must not move: who answers with a thumb looks elsewhere.
    all[Math.min(place.current, all.length - 1)]?.focus({ preventScroll: true });
  }, [ids.join(' ')]);
  useEffect(() => {
    const remember = ({ target }: Event) => {
      place.current = cards().findIndex((card) => target instanceof Node && card.contains(target));
    };
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', remember);
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', remember);
    };
  }, []);
  return around;
}
