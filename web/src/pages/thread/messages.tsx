// The messages of a thread: older and newer pages come as the reader scrolls, and the end stays in view while one is there.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { OpenThread } from '../../data/threads/thread.js';
import type { Message } from '../../data/types.js';
import { Entry } from './entry.js';
import { toolLinks, toolsIn } from './tools.js';

export interface MessagesProps {
  open: OpenThread;
  threadId: string;
  /** The message that the link names. */
  at: string | undefined;
  onReply: ((message: Message) => void) | undefined;
}

/** So near to the end, the page follows. */
const nearPx = 120;
/** A page is loaded before the reader gets there. */
const aheadPx = '1200px 0px';

export function Messages({ open, threadId, at, onReply }: MessagesProps) {
  const { messages, hasOlder, hasNewer } = open.window.value;
  const openedAt = open.openedAt.value ?? Number.MAX_SAFE_INTEGER;
  const tools = toolsIn(messages);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const firstNew = hasNewer ? undefined : messages.find(({ seq }) => seq > openedAt);
  useScrolling(open, messages, at);
  useSteadyPlace(messages);
  return (
    <>
      <ol class="thread" aria-label="Messages">
        <Edge isOpen={hasOlder} key="older" onSeen={() => open.readOlder()} />
        {messages.flatMap((message) => [
          // Flat, so that each is found by its key: a nested list would be found by its place.
          ...(message === firstNew ? [<NewRule key="new" />] : []),
          <Entry
            key={message.id}
            message={message}
            threadId={threadId}
            parent={message.replyTo === undefined ? undefined : byId.get(message.replyTo)}
            isFresh={message.seq > openedAt}
            isMeant={message.id === at}
            links={toolLinks(message, tools)}
            tools={tools}
            onReply={onReply}
          />,
        ])}
        <Edge isOpen={hasNewer} key="newer" onSeen={() => open.readNewer()} />
      </ol>
      {hasNewer && (
        <div class="to-newest">
          <button class="btn" type="button" onClick={() => void open.toNewest()}>
            {open.unseen.value === 0 ? 'To the newest' : `${open.unseen.value} new, to the newest`}
          </button>
        </div>
      )}
    </>
  );
}

function NewRule() {
  return (
    <li class="rule rule-new">
      <span>New</span>
    </li>
  );
}

/** Where a page begins that is not loaded yet. */
function Edge({ isOpen, onSeen }: { isOpen: boolean; onSeen: () => Promise<void> }) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const { current } = place;
    if (!isOpen || current === null) return undefined;
    let isOver = false;
    // Observed again after each page: an edge that stays in view is not reported twice.
    const observe = () => {
      const seen = new IntersectionObserver(
        (entries) => {
          if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
          seen.disconnect();
          void onSeen().then(() => !isOver && requestAnimationFrame(observe));
        },
        { rootMargin: aheadPx },
      );
      seen.observe(current);
      stop = () => seen.disconnect();
    };
    let stop = () => {};
    observe();
    return () => {
      isOver = true;
      stop();
    };
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <li class="rule edge" ref={place}>
      <span>Loading</span>
    </li>
  );
}

/** At first to the end, or to the message of the link; then the end stays in view for a reader who is there. */
function useScrolling(open: OpenThread, messages: readonly Message[], at: string | undefined): void {
  const isNear = useRef(true);
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    let frame = 0;
    // Once a frame: to ask for a height lays the page out.
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const { scrollHeight, clientHeight } = document.documentElement;
        isNear.current = scrollY + clientHeight >= scrollHeight - nearPx;
      });
    };
    addEventListener('scroll', look, { passive: true });
    // Pictures, receipts and messages that are laid out late make the page longer.
    const grown = new ResizeObserver(() => {
      if (isNear.current && !open.window.value.hasNewer) toEnd();
    });
    const list = document.querySelector('.thread-page');
    if (list !== null) grown.observe(list);
    return () => {
      removeEventListener('scroll', look);
      cancelAnimationFrame(frame);
      grown.disconnect();
    };
  }, []);
  const last = messages.at(-1)?.id;
  useLayoutEffect(() => {
    if (messages.length === 0) {
      shown.current = undefined;
      return;
    }
    const target = at ?? 'end';
    const isFirst = shown.current !== target;
    if (at !== undefined && isFirst) {
      const found = document.getElementById(at);
      if (found !== null) {
        found.scrollIntoView({ block: 'center' });
        found.focus({ preventScroll: true });
        isNear.current = false;
        shown.current = target;
      }
      return;
    }
    shown.current = target;
    if ((isFirst || isNear.current) && !open.window.value.hasNewer) {
      toEnd();
      isNear.current = true;
    }
  }, [last, at, messages.length === 0]);
}

/** What the reader sees stays where it is when a page is added before it or is dropped. Not every browser does it, and none at the very top. */
function useSteadyPlace(messages: readonly Message[]): void {
  const first = useRef<string | undefined>(undefined);
  const id = messages[0]?.id;
  // The page still shows the last list here.
  const before = id === first.current ? undefined : placeInView(new Set(messages.map((message) => message.id)));
  useLayoutEffect(() => {
    first.current = id;
    const element = before === undefined ? null : document.getElementById(before.id);
    if (element === null || before === undefined) return;
    const moved = element.getBoundingClientRect().top - before.top;
    if (Math.abs(moved) > 1) scrollBy(0, moved);
  }, [id]);
}

/** The first message in view that stays. */
function placeInView(staying: ReadonlySet<string>): { id: string; top: number } | undefined {
  for (const element of document.querySelectorAll('.thread > [id]')) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > 0 && staying.has(element.id)) return { id: element.id, top };
  }
  return undefined;
}

function toEnd(): void {
  scrollTo(0, document.documentElement.scrollHeight);
}
