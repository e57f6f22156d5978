// The inbox: what waits for you, alerts, mail, and what is over.
import { alerts, loading, mail, over, waiting, type Question } from '../data/store.js';
import { useFocusKept } from './inbox/focus-kept.js';
import { useSteadyOrder } from './inbox/steady-order.js';
import { AlertsSection } from './inbox/alerts.js';
import { FirstRun } from './inbox/first-run.js';
import { MailSection } from './inbox/mail.js';
import { OverSection } from './inbox/over.js';
import { Ask } from '../parts/ask.js';
import { Loading } from '../parts/loading.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { atTime } from '../parts/words/time-words.js';
import { minute } from '../data/clock.js';

export function InboxPage() {
  const { isLoaded } = loading.value;
  const order = useSteadyOrder(waiting.value);
  const asks = useFocusKept(order.questions.map(({ id }) => id));
  if (!isLoaded) return <Loading label="Loading the inbox" />;
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
          <div class="asks" ref={asks}>
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
      {last === undefined ? 'What agents ask you appears here.' : `The last question came ${lastWhen(last)}.`}
    </State>
  );
}

function lastWhen({ askedAt }: Question): string {
  return atTime(Date.parse(askedAt), minute.value);
}
