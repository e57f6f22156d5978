// What became of a question that no longer waits.
import type { Sending } from '../../data/answers.js';
import { now } from '../../data/clock.js';
import { hub, me } from '../../data/hub.js';
import type { Question } from '../../data/store.js';
import { State } from '../../parts/state.js';
import { atTime } from '../../parts/words/time-words.js';
import { answerOf, nameOf, placeOf } from '../../parts/words/words.js';
import { spelled } from '../../parts/hidden-chars.js';

export function Outcome({ question, given }: { question: Question; given: Sending | undefined }) {
  const asker = nameOf(question);
  const said = spelled(answerOf(question) ?? '');
  const at = atTime(Date.parse(question.answeredAt ?? question.expiresAt ?? question.askedAt), now.value);
  const who = question.answeredBy === undefined || question.answeredBy === me.value ? 'You' : question.answeredBy;
  switch (question.status) {
    case 'pending':
      return null;
    case 'answered':
      return <Answered question={question} given={given} said={said} at={at} who={who} />;
    case 'declined':
      return (
        <State icon="info" title={`${who} declined ${at}.`}>
          {asker} was told{said === '' ? '' : `: “${said}”`}. That is neither yes nor no.
        </State>
      );
    case 'expired':
      return question.isDefault === true ? (
        <State icon="clock" title={`Expired ${at}. The default was used${said === '' ? '' : `: “${said}”`}.`}>
          {asker} set this default. It is marked as a default, not as your answer.
        </State>
      ) : (
        <State icon="clock" title={`Expired ${at}. No one answered.`}>
          That is not a no. {asker} was told so, and may ask again.
        </State>
      );
    case 'cancelled':
      return (
        <State icon="info" title={`${asker} took this question back ${at}.`}>
          {question.reason === undefined || question.reason === '' ? '' : `“${question.reason}” `}No answer is needed.
        </State>
      );
  }
}

interface AnsweredProps {
  question: Question;
  given: Sending | undefined;
  said: string;
  at: string;
  who: string;
}

function Answered({ question, given, said, at, who }: AnsweredProps) {
  const place = placeOf(question, { me: me.value, deviceName: hub.value?.signedIn?.deviceName });
  const isElsewhere = place !== '' && place !== 'on this device';
  const quoted = said === '' ? '' : `“${said}”`;
  const title = isElsewhere
    ? `Answered ${place} ${at}${quoted === '' ? '' : `: ${quoted}`}.`
    : `${who} ${quoted === '' ? 'answered' : `said ${quoted}`} ${at}.`;
  return (
    <State tone="good" icon="success" title={title}>
      {given === undefined
        ? `${nameOf(question)} gets it with the next read, or at once if it waits.`
        : 'The first answer counts. Yours was not sent.'}
    </State>
  );
}
