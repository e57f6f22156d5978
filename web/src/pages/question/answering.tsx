// The options, the field and the way to decline, or what became of the question.
import { useState } from 'preact/hooks';
import { answer, sending } from '../../data/answers.js';
import { refresh, type Question } from '../../data/store.js';
import { acceptKeyOf } from '../../device/open.js';
import { AnswerState, Unopened } from '../../parts/answer-state.js';
import { Free } from '../../parts/free.js';
import { KeyChanged } from '../../parts/key-changed.js';
import { Options } from '../../parts/options.js';
import { nameOf } from '../../parts/words/words.js';
import { Outcome } from './outcome.js';

export function Answering({ question }: { question: Question }) {
  const { content } = question.opened;
  const given = sending.value[question.id];
  if (question.status !== 'pending') return <Outcome question={question} given={given} />;
  if (content === undefined) return <Unopened question={question} />;
  if (question.opened.sender === 'changed') {
    const accept = () => void acceptKeyOf(question).then(() => refresh('signals'));
    const isOfHub = question.encryption === 'device';
    return <KeyChanged asker={nameOf(question)} isOfHub={isOfHub} onAccept={accept} />;
  }
  const isBusy = given !== undefined && given.state !== 'failed';
  const { options } = content;
  return (
    <>
      <Options
        options={options}
        isBig
        isDisabled={isBusy}
        chosen={isBusy ? given.option : undefined}
        onChoose={(option) =>
          void answer(question, { status: 'answered', option, response: options[option - 1] ?? '' })
        }
      />
      {options.length > 0 && <p class="or">or in your own words</p>}
      <Free
        draftId={question.id}
        label="Your answer"
        button="Send"
        isLong
        isDisabled={isBusy}
        onSend={(response) => void answer(question, { status: 'answered', option: null, response })}
      />
      <AnswerState question={question} given={given} />
      <Decline question={question} isDisabled={isBusy} />
    </>
  );
}

function Decline({ question, isDisabled }: { question: Question; isDisabled: boolean }) {
  const [isOpen, open] = useState(false);
  const decline = (response: string) => void answer(question, { status: 'declined', option: null, response });
  if (!isOpen) {
    return (
      <p>
        <button class="textlink" type="button" data-key="d" disabled={isDisabled} onClick={() => open(true)}>
          Decline to answer
        </button>
      </p>
    );
  }
  return (
    <div class="decline">
      <Free
        draftId={`decline-${question.id}`}
        label="Why, if you like"
        button="Decline"
        isDisabled={isDisabled}
        isOptional
        hasFocus
        onSend={decline}
      />
      <p class="effect">
        The asker is told that you declined. That is neither yes nor no.{' '}
        <button class="textlink" type="button" onClick={() => open(false)}>
          Do not decline
        </button>
      </p>
    </div>
  );
}
