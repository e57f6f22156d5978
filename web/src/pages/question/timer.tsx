// How long a question still waits, and that its end is not an answer.
import { now } from '../../data/clock.js';
import type { Question } from '../../data/store.js';
import { atTime, timeLeft } from '../../parts/words/time-words.js';
import { LeftBar } from '../../parts/words/time.js';

export function Timer({ question }: { question: Question }) {
  if (question.status !== 'pending') return null;
  const { expiresAt, askedAt } = question;
  if (expiresAt === undefined) {
    return (
      <div class="timer">
        <p>
          <span class="mark">Waiting</span>
          <span>It has no end.</span>
        </p>
      </div>
    );
  }
  const end = Date.parse(expiresAt);
  return (
    <div class="timer">
      <LeftBar from={askedAt} until={expiresAt} />
      <p>
        <span class="mark">{timeLeft(end - now.value)}</span>
        <span>Expires {atTime(end, now.value)}. That is not a no.</span>
      </p>
    </div>
  );
}
