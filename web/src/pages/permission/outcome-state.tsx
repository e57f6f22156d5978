// How a permission prompt ended.
import type { Question } from '../../data/store.js';
import { now } from '../../data/clock.js';
import { State } from '../../parts/state.js';
import { atTime } from '../../parts/words/time-words.js';
import { isAllowing } from './permission-buttons.js';

export function PermissionOutcome({ question, asker }: { question: Question; asker: string }) {
  const at = question.answeredAt === undefined ? '' : ` ${atTime(Date.parse(question.answeredAt), now.value)}`;
  const who = <bdi>{asker}</bdi>;
  if (question.status === 'answered') return <Answered question={question} at={at} asker={asker} />;
  if (question.status === 'cancelled') {
    return (
      <State
        icon="info"
        title={
          <>
            Decided at {who}’s terminal{at}.
          </>
        }
      >
        The first answer counts. Nothing was sent from here.
      </State>
    );
  }
  if (question.status === 'declined') {
    return (
      <State icon="info" title={`Declined${at}.`}>
        Nothing was allowed or denied. {who}’s own prompt decides.
      </State>
    );
  }
  return (
    <State icon="clock" title="No answer in time.">
      Nothing was allowed or denied. {who}’s terminal asks now; only there it can be decided.
    </State>
  );
}

function Answered({ question, at, asker }: { question: Question; at: string; asker: string }) {
  const { content, answer } = question.opened;
  const option = answer?.option ?? null;
  const label = option === null ? undefined : content?.options[option - 1];
  const where = question.answeredOn === undefined ? '' : `, on ${question.answeredOn}`;
  if (label === undefined) {
    return (
      <State icon="info" title={`Answered${at}${where}.`}>
        What was answered cannot be opened here.
      </State>
    );
  }
  if (isAllowing(label)) {
    return (
      <State
        tone="good"
        icon="success"
        title={`${option === 1 ? 'Allowed once' : 'Allowed for this session'}${at}${where}.`}
      >
        <bdi>{asker}</bdi> goes on.
      </State>
    );
  }
  const why = answer === undefined || answer.response === label ? undefined : answer.response;
  return (
    <State icon="error" title={`Denied${at}${where}.`}>
      {why === undefined ? (
        'The call was not made.'
      ) : (
        <span dir="auto">
          {asker} was told: “{why}”
        </span>
      )}
    </State>
  );
}
