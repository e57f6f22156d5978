// A question that is over, with what became of it.
import { hub, me } from '../data/hub.js';
import type { Question } from '../data/store.js';
import { InlineMarkdown } from './markdown.js';
import { Time } from './words/time.js';
import { outcomeLine, titleOf } from './words/words.js';
import { spellHidden } from './hidden-chars.js';

export function OverRow({ question }: { question: Question }) {
  const reader = { me: me.value, deviceName: hub.value?.signedIn?.deviceName };
  const { text, answer, after } = outcomeLine(question, reader);
  return (
    <li>
      <a class="row row-2" href={`/app/question/${question.id}`} data-item>
        <div class="row-main">
          <p class="clamp" dir="auto">
            <InlineMarkdown text={titleOf(question)} />
          </p>
          <p class="ans">
            {text}
            {answer !== undefined && (
              <b>
                <bdi>{spellHidden(answer)}</bdi>
              </b>
            )}
            {after}
          </p>
        </div>
        <Time at={question.answeredAt ?? question.expiresAt ?? question.askedAt} />
      </a>
    </li>
  );
}
