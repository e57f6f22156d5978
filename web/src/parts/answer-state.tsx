// An answer on its way, or why there is none to give.
import { forget, retry, type Sending } from '../data/answers.js';
import { Refused } from '../data/api.js';
import type { Question } from '../data/store.js';
import { State } from './state.js';
import { nameOf } from './words/words.js';

export function AnswerState({ question, given }: { question: Question; given: Sending | undefined }) {
  if (given === undefined) return null;
  if (given.state === 'sending') {
    return (
      <p class="effect" role="status">
        Sending your answer…
      </p>
    );
  }
  if (given.state === 'queued') {
    return (
      <State icon="off" title="Kept on this device.">
        It is sent when you are back. If someone answers first, theirs counts and you are told.
      </State>
    );
  }
  const { error } = given;
  const isRefused = error instanceof Refused && error.status < 500;
  return (
    <State
      tone="bad"
      icon="error"
      title={`Not sent: ${error === undefined ? 'the hub does not answer.' : error.message}`}
      actions={
        <>
          {!isRefused && (
            <button class="btn" type="button" onClick={() => void retry(question)}>
              Try now
            </button>
          )}
          <button class="btn btn-quiet" type="button" onClick={() => forget(question.id)}>
            Answer anew
          </button>
        </>
      }
    >
      {error instanceof Refused ? `${error.hint} ${error.code}` : 'Your answer is kept here.'}
    </State>
  );
}

export function Unopened({ question }: { question: Question }) {
  const asker = nameOf(question);
  switch (question.opened.closed) {
    case 'forged':
      return (
        <State tone="bad" icon="shield" title="This question is not what its sender sealed.">
          Its signature does not fit. Do not act on it, and ask {asker} in another way.
        </State>
      );
    case 'no_device':
      return (
        <State
          tone="warn"
          icon="lock"
          title="This browser cannot open the question."
          actions={
            <a class="btn" href="/app/settings">
              Make it a device
            </a>
          }
        >
          It is encrypted to your paired devices, and this browser is none. Open it on one of them.
        </State>
      );
    default:
      return (
        <State tone="warn" icon="lock" title="This device cannot open the question yet.">
          It was encrypted before this device was paired. Open the app on an older device of yours, which then shares
          it, or ask {asker} to send it again.
        </State>
      );
  }
}
