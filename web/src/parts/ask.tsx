// The card of a question that waits. The only card with a band: what has a band waits for you.
import { answer, sending } from '../data/answers.js';
import { questions, threadTitles, type Question } from '../data/store.js';
import { Code } from './code.js';
import { AnswerState, Unopened } from './answer-state.js';
import { Free } from './free.js';
import { Icon } from './icon.js';
import { InlineMarkdown } from './markdown.js';
import { Options } from './options.js';
import { showCall } from './shown-call.js';
import { Left, LeftBar } from './words/time.js';
import { Name, Who } from './who.js';
import { chainOf, encryptionShort, silenceShort, titleOf } from './words/words.js';
import { spellHidden } from './hidden-chars.js';

export interface AskProps {
  question: Question;
  isFresh: boolean;
}

export function Ask({ question, isFresh }: AskProps) {
  const titleId = `t-${question.id}`;
  return (
    <article class={`ask${isFresh ? ' fresh' : ''}`} aria-labelledby={titleId} data-item tabIndex={-1}>
      <Band question={question} />
      <LeftBar from={question.askedAt} until={question.expiresAt} />
      <div class="ask-body">
        <h3 class="ask-q" id={titleId} dir="auto">
          <a href={`/app/question/${question.id}`}>
            <InlineMarkdown text={titleOf(question)} />
          </a>
        </h3>
        {question.kind === 'permission' ? <ToolCall question={question} /> : <Answering question={question} />}
        <Foot question={question} />
      </div>
    </article>
  );
}

function Band({ question }: { question: Question }) {
  const place = placeOfAsk(question);
  return (
    <div class="band">
      <Who id={question.from} size="s" />
      <span>
        <Name id={question.from} name={question.fromName} />{' '}
        {question.kind === 'permission' ? 'wants permission' : 'asks'}
        {place !== undefined && (
          <span class="sub">
            {' '}
            in <bdi>{spellHidden(place)}</bdi>
          </span>
        )}
      </span>
      {question.priority === 'high' && <span class="flag flag-high">high</span>}
      <Left until={question.expiresAt} />
    </div>
  );
}

/** The project, else the thread's name. */
function placeOfAsk({ projectId, threadId }: Question): string | undefined {
  return projectId ?? (threadId === undefined ? undefined : (threadTitles.value[threadId] ?? threadId));
}

function Answering({ question }: { question: Question }) {
  const { content } = question.opened;
  const given = sending.value[question.id];
  const isBusy = given !== undefined && given.state !== 'failed';
  if (content === undefined) return <Unopened question={question} />;
  const hasOptions = content.options.length > 0;
  return (
    <>
      <Options
        options={content.options}
        isDisabled={isBusy}
        chosen={isBusy ? given.option : undefined}
        onChoose={(option) =>
          void answer(question, { status: 'answered', option, response: content.options[option - 1] ?? '' })
        }
      />
      <Free
        draftId={question.id}
        label={hasOptions ? 'Or write an answer' : 'Write an answer'}
        button="Send"
        isDisabled={isBusy}
        onSend={(response) => void answer(question, { status: 'answered', option: null, response })}
      />
      <AnswerState question={question} given={given} />
    </>
  );
}

const shownLines = 2;
/** A line may be the whole of a long input. */
const shownChars = 300;

function ToolCall({ question }: { question: Question }) {
  const { content } = question.opened;
  if (content === undefined) return <Unopened question={question} />;
  const [first] = content.toolCall === undefined ? [] : showCall(content.toolCall).parts;
  const lines = first?.lines ?? [];
  const head = lines.slice(0, shownLines).join('\n');
  const more = lines.length - shownLines;
  return (
    <>
      {lines.length > 0 && (
        <div>
          <Code text={head.slice(0, shownChars)} isNumbered />
          {(more > 0 || head.length > shownChars) && (
            <p class="cut">
              <span>Cut here. {more <= 0 ? 'There is more' : more === 1 ? '1 more line' : `${more} more lines`}.</span>
            </p>
          )}
        </div>
      )}
      <div class="btn-row">
        <a class="btn" href={`/app/question/${question.id}`}>
          Read all and decide
        </a>
      </div>
    </>
  );
}

function Foot({ question }: { question: Question }) {
  const earlier = chainOf(question, questions.value).length;
  return (
    <p class="ask-foot">
      {earlier > 0 && (
        <span class="fact">
          <Icon name="reply" />
          Follows {earlier === 1 ? 'an earlier question' : `${earlier} earlier questions`}
        </span>
      )}
      <span class="fact">
        <Icon name={question.encryption === 'end_to_end' || question.encryption === 'device' ? 'lock' : 'unlock'} />
        {encryptionShort[question.encryption]}
      </span>
      <span class="fact">{silenceShort(question)}</span>
    </p>
  );
}
