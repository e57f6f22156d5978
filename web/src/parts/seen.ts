// What happens while an element is on the screen. One observer for all: hundreds of them make scrolling slow.
const starts = new WeakMap<Element, () => () => void>();
const stops = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Calls `start` when the element comes into view and what that answers when it leaves. Answers how to end it. */
export function whileSeen(element: Element | null, start: () => () => void): () => void {
  if (element === null) return () => {};
  observer ??= new IntersectionObserver(look);
  starts.set(element, start);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    starts.delete(element);
    stop(element);
  };
}

function look(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) stop(target);
    else if (!stops.has(target)) stops.set(target, starts.get(target)?.() ?? (() => {}));
  }
}

function stop(element: Element): void {
  stops.get(element)?.();
  stops.delete(element);
}
