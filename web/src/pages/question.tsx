// One question: who asks, what came before, the context, the answers, what became of it.
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../app/routes.js';
import { useTitle } from '../app/title.js';
import { findQuestion, readQuestion } from '../data/older.js';
import { loading, threadTitles, type Question } from '../data/store.js';
import { Bones } from '../parts/bones.js';
import { Loading } from '../parts/loading.js';
import { Icon } from '../parts/icon.js';
import { InlineMarkdown, Markdown } from '../parts/markdown.js';
import { ErrorState, State } from '../parts/state.js';
import { Time } from '../parts/words/time.js';
import { Name, Who } from '../parts/who.js';
import { encryptionLong, nameOf, titleOf } from '../parts/words/words.js';
import { About } from './question/about.js';
import { Answering } from './question/answering.js';
import { Chain } from './question/chain.js';
import { Permission } from './question/permission.js';
import { Timer } from './question/timer.js';
import { spellHidden } from '../parts/hidden-chars.js';

export function QuestionPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const question = findQuestion(id);
  if (question !== undefined) return <OneQuestion question={question} />;
  if (!loading.value.isLoaded) return <Loading label="Loading the question" />;
  return <Older id={id} />;
}

/** Not among the newest: the hub may have it all the same. */
function Older({ id }: { id: string }) {
  const [state, set] = useState<'reading' | 'unknown' | Error>('reading');
  useEffect(() => {
    readQuestion(id).then(
      (isThere) => set(isThere ? 'reading' : 'unknown'),
      (error: Error) => set(error),
    );
  }, [id]);
  if (state === 'reading') return <Bones label="Loading the question" />;
  return state === 'unknown' ? <Unknown /> : <ErrorState error={state} />;
}

function OneQuestion({ question }: { question: Question }) {
  const verb = question.kind === 'permission' ? 'wants permission' : 'asks you';
  useTitle(question.status === 'pending' ? `${nameOf(question)} ${verb}` : 'Question');
  const { content } = question.opened;
  if (question.kind === 'permission' && content !== undefined) return <Permission question={question} />;
  return (
    <div class="cols">
      <article class="focus" aria-labelledby="q" data-item tabIndex={-1}>
        <Asker question={question} verb={verb} />
        <Chain question={question} />
        <h2 class="q" id="q" dir="auto">
          <InlineMarkdown text={titleOf(question)} />
        </h2>
        <Timer question={question} />
        {content?.context !== undefined && content.context !== null && content.context !== '' && (
          <Markdown text={content.context} />
        )}
        <Answering question={question} />
        <p class="fact small muted">
          <Icon name={question.encryption === 'end_to_end' || question.encryption === 'device' ? 'lock' : 'unlock'} />
          <span>{encryptionLong(question.encryption, nameOf(question))}</span>
        </p>
      </article>
      <About question={question} />
    </div>
  );
}

function Asker({ question, verb }: { question: Question; verb: string }) {
  const { projectId, threadId, askedAt } = question;
  const thread = threadId === undefined ? undefined : (threadTitles.value[threadId] ?? threadId);
  const places = [projectId, thread].filter((place) => place !== undefined);
  return (
    <div class="asker">
      <Who id={question.from} size="l" />
      <div>
        <p>
          <Name id={question.from} name={question.fromName} /> {verb}
        </p>
        <p class="sub">
          {places.map((place) => (
            <>
              <bdi>{spellHidden(place)}</bdi> ·{' '}
            </>
          ))}
          <Time at={askedAt} />
        </p>
      </div>
    </div>
  );
}

function Unknown() {
  const home = (
    <a class="btn" href="/">
      To the inbox
    </a>
  );
  return (
    <State tone="bad" icon="error" title="This question is not here." actions={home}>
      It does not exist, or it was not put to you. QUESTION_UNKNOWN
    </State>
  );
}
