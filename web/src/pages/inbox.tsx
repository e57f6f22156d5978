// The inbox: what waits for you, alerts, mail, and what is over.
import { useRef } from 'preact/hooks';
import { alerts, loading, mail, over, waiting, type Question } from '../data/store.js';
import { AlertsSection } from './inbox/alerts.js';
import { FirstRun } from './inbox/first-run.js';
import { MailSection } from './inbox/mail.js';
import { OverSection } from './inbox/over.js';
import { Ask } from '../parts/ask.js';
import { Bones } from '../parts/bones.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { when } from '../parts/time-words.js';
import { now } from '../data/clock.js';

export function InboxPage() {
  const { isLoaded } = loading.value;
  const order = useSteadyOrder(waiting.value);
  if (!isLoaded) return <Bones label="Loading the inbox" />;
  const isEmpty = [waiting, over, alerts, mail].every((list) => list.value.length === 0);
  if (isEmpty) return <FirstRun />;
  return (
    <div class="cols cols-inbox">
      <Section
        id="h-ask"
        title={<>Waiting for you {waiting.value.length > 0 && <b class="count count-you">{waiting.value.length}</b>}</>}
      >
        {order.questions.length === 0 ? (
          <NoneWaits />
        ) : (
          <div class="asks">
            {order.questions.map((question) => (
              <Ask key={question.id} question={question} isFresh={order.isFresh(question.id)} />
            ))}
          </div>
        )}
      </Section>
      <AlertsSection />
      <MailSection />
      <OverSection />
      <p class="keys wide">
        <span>
          <kbd>J</kbd>
          <kbd>K</kbd>move
        </span>
        <span>
          <kbd>1</kbd>to<kbd>5</kbd>answer
        </span>
        <span>
          <kbd>R</kbd>write
        </span>
        <span>
          <kbd>Enter</kbd>open
        </span>
        <span>
          <kbd>?</kbd>all keys
        </span>
      </p>
    </div>
  );
}

function NoneWaits() {
  const [last] = over.value;
  return (
    <State icon="success" title="No one waits for you.">
      {last === undefined ? 'What agents ask you will stand here.' : `The last question was ${lastWhen(last)}.`}
    </State>
  );
}

function lastWhen({ askedAt }: Question): string {
  return `asked ${when(Date.parse(askedAt), now.value)}`;
}

/**
 * The page never jumps under a thumb: while it is open, questions keep their places and new ones come last.
 */
function useSteadyOrder(questions: readonly Question[]) {
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
