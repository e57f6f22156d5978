// What answering does, and what silence does.
import { now } from '../../data/clock.js';
import { me } from '../../data/hub.js';
import type { Question } from '../../data/store.js';
import { atTime } from '../../parts/words/time-words.js';
import { nameOf } from '../../parts/words/words.js';

export function About({ question }: { question: Question }) {
  const asker = nameOf(question);
  const isPending = question.status === 'pending';
  const options = question.opened.content?.options.length ?? 0;
  return (
    <aside class="aside" aria-label="About this question">
      <dl class="facts panel">
        {isPending && (
          <>
            <div>
              <dt>Without an answer</dt>
              <dd>{silence(question)}</dd>
            </div>
            <div>
              <dt>With an answer</dt>
              <dd>The first one counts, from any device. {asker} gets it in its inbox, and at once if it waits.</dd>
            </div>
          </>
        )}
        <div>
          <dt>{isPending ? 'Who can answer' : 'Put to'}</dt>
          <dd>
            <bdi>{people(question.to)}</bdi>
          </dd>
        </div>
        {isPending && (
          <div>
            <dt>From the command line</dt>
            <dd>
              <code translate={false}>coterie answer {question.id}</code>
            </dd>
          </div>
        )}
      </dl>
      {isPending && (
        <p class="keys">
          {options > 0 && (
            <span>
              <kbd>1</kbd>
              {options > 1 && (
                <>
                  to<kbd>{options}</kbd>
                </>
              )}
              answer
            </span>
          )}
          <span>
            <kbd>R</kbd>write
          </span>
          <span>
            <kbd>D</kbd>decline
          </span>
        </p>
      )}
    </aside>
  );
}

function silence(question: Question): string {
  const asker = nameOf(question);
  if (question.expiresAt === undefined) return `It waits without an end. ${asker} can take it back.`;
  const end = `It expires ${atTime(Date.parse(question.expiresAt), now.value)}.`;
  const fallback = question.opened.defaultAnswer?.response;
  if (fallback === undefined) return `${end} ${asker} is told that no one answered. Nothing is assumed.`;
  return `${end} ${asker} then uses “${fallback}”, marked as a default and not as your answer.`;
}

function people(to: readonly string[]): string {
  const others = to.filter((person) => person !== me.value);
  if (others.length === to.length) return others.join(', ');
  return others.length === 0 ? 'You.' : `You, and ${others.join(', ')}.`;
}
