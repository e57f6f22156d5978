// The questions that this one follows, oldest first.
import { hub, me } from '../../data/hub.js';
import { questions, type Question } from '../../data/store.js';
import { Icon } from '../../parts/icon.js';
import { InlineMarkdown } from '../../parts/markdown.js';
import { chainOf, outcomeLine, titleOf } from '../../parts/words/words.js';
import { spellHidden } from '../../parts/hidden-chars.js';

export function Chain({ question }: { question: Question }) {
  const earlier = chainOf(question, questions.value);
  if (earlier.length === 0) return null;
  const reader = { me: me.value, deviceName: hub.value?.signedIn?.deviceName };
  return (
    <details class="chain">
      <summary>
        <Icon name="twist" size="tw" />
        Follows {earlier.length === 1 ? '1 earlier question' : `${earlier.length} earlier questions`}
      </summary>
      <ol class="stem">
        {earlier.map((each) => {
          const { text, answer, after } = outcomeLine(each, reader);
          return (
            <li key={each.id}>
              <a href={`/app/question/${each.id}`} dir="auto">
                <InlineMarkdown text={titleOf(each)} />
              </a>
              <span class="ans">
                {text}
                {answer !== undefined && (
                  <b>
                    <bdi>{spellHidden(answer)}</bdi>
                  </b>
                )}
                {after}
              </span>
            </li>
          );
        })}
        <li class="now">
          {question.status === 'pending' ? <span class="mark">This question</span> : <b>This question</b>}
        </li>
      </ol>
    </details>
  );
}
