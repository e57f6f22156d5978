// Keys: J and K move, 1 to 5 answer, R writes, Enter opens, D declines, T folds tools, I shows receipts, ? lists them.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

const isHelpOpen = signal(false);

/** Elements with this attribute are what J and K move between. */
const itemSelector = '[data-item]';

export function followKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
    const handler = handlers[event.key.toLowerCase()] ?? (/^[1-5]$/.test(event.key) ? choose : undefined);
    if (handler?.(event.key) === true) event.preventDefault();
  });
}

const handlers: Record<string, (key: string) => boolean> = {
  j: () => move(1),
  k: () => move(-1),
  r: () => focusIn('.field'),
  d: () => click('[data-key="d"]'),
  enter: () => document.activeElement?.matches(itemSelector) === true && click('a[href]'),
  t: () => fold(document, 'details.tool'),
  i: () => fold(currentItem() ?? items().at(-1), 'details.rcpt'),
  '?': () => {
    isHelpOpen.value = !isHelpOpen.value;
    return true;
  },
};

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

function items(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(itemSelector)];
}

/** The item that has the focus, or the only or first one. */
function currentItem(): HTMLElement | undefined {
  const within = document.activeElement?.closest<HTMLElement>(itemSelector);
  return within ?? (items().length === 1 ? items()[0] : undefined);
}

function move(by: 1 | -1): boolean {
  const all = items();
  const at = all.findIndex((item) => item.contains(document.activeElement));
  const next = all[at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

function choose(key: string): boolean {
  return click(`[data-option="${key}"]:not(:disabled)`);
}

function click(selector: string): boolean {
  const found = currentItem()?.querySelector<HTMLElement>(selector);
  found?.click();
  return found !== undefined && found !== null;
}

function focusIn(selector: string): boolean {
  const found = (currentItem() ?? items()[0])?.querySelector<HTMLElement>(selector);
  found?.focus();
  return found !== undefined && found !== null;
}

/** Closes what is open of these, or opens all. */
function fold(within: ParentNode | undefined, selector: string): boolean {
  const found = [...(within?.querySelectorAll<HTMLDetailsElement>(selector) ?? [])];
  const isOpening = !found.some(({ open }) => open);
  for (const each of found) each.open = isOpening;
  return found.length > 0;
}

const help: readonly (readonly [string, string])[] = [
  ['J', 'next'],
  ['K', 'previous'],
  ['1 to 5', 'answer with this option'],
  ['R', 'write an answer or a reply'],
  ['Enter', 'open'],
  ['D', 'decline to answer, on the page of a question'],
  ['I', 'receipts of a message'],
  ['T', 'open or fold the tool calls of a thread'],
  ['Ctrl K', 'go to a page, thread or agent'],
  ['?', 'this list'],
];

export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isHelpOpen.value]);
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby="h-keys" onClose={() => (isHelpOpen.value = false)}>
      <h2 id="h-keys">Keys</h2>
      <dl class="kv">
        {(isHelpOpen.value ? help : []).map(([key, what]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <button class="btn" type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
