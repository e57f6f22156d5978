// Copies that were not delivered: send one again, or drop it.
import { useState } from 'preact/hooks';
import type { DeadLetterView } from '../../../../src/contract/dead-letter.js';
import { call } from '../../data/api.js';
import { isAudited } from '../../data/hub.js';
import { deadLetters, readLetters, readOverview } from '../../data/overview.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { lineOf } from '../../parts/line.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { Time } from '../../parts/words/time.js';
import { Name } from '../../parts/who.js';

export function DeadLettersSection() {
  const found = deadLetters.value;
  const letters = found?.letters ?? [];
  return (
    <Section id="dead" title={<>Dead letters {letters.length > 0 && <b class="count">{letters.length}</b>}</>}>
      {found === null && <p class="effect">Dead letters are for admins.</p>}
      {found !== null && found !== undefined && letters.length === 0 && (
        <p class="effect">None. Everything that was sent has arrived or can still arrive.</p>
      )}
      {letters.length > 0 && (
        <ul class="rows">
          {letters.map((letter) => (
            <li key={letter.id}>
              <Letter letter={letter} />
            </li>
          ))}
        </ul>
      )}
      {isAudited.value && found !== null && (
        <p class="rows-gap">
          <button class="textlink" type="button" onClick={() => void readLetters()}>
            Read again<span class="vh"> the dead letters</span>
          </button>
        </p>
      )}
    </Section>
  );
}

function Letter({ letter }: { letter: DeadLetterView }) {
  const { id, recipient, reason, at, message } = letter;
  const [error, setError] = useState<Error | undefined>(undefined);
  const act = async (operation: 'replay_dead_letter' | 'discard_dead_letter') => {
    setError(undefined);
    try {
      await call(operation, { deadLetterId: id });
      await readOverview();
    } catch (thrown) {
      if (thrown instanceof Error) setError(thrown);
    }
  };
  return (
    <div class="row row-2">
      <div class="row-main">
        <p>
          <Name id={message.sender} name={message.name} /> to <Name id={recipient} />
        </p>
        <p class="clamp" dir="auto">
          {spellHidden(lineOf(message))}
        </p>
        <p class="row-sub">{reason}</p>
        <div class="btn-row dl">
          <button class="btn" type="button" onClick={() => void act('replay_dead_letter')}>
            Replay
          </button>
          <button class="btn btn-quiet" type="button" onClick={() => void act('discard_dead_letter')}>
            Discard
          </button>
        </div>
        {error !== undefined && <ErrorState error={error} />}
      </div>
      <Time at={at} />
    </div>
  );
}
