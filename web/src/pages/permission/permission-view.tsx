// A permission prompt: the tool call whole, three answers of equal weight, and what silence means.
import { useEffect, useState } from 'preact/hooks';
import { callHash } from '../../../../src/signal/envelope/call-hash.js';
import type { ToolCall } from '../../../../src/contract/signal/signal.js';
import { answer, sending } from '../../data/answers.js';
import { now } from '../../data/clock.js';
import { hub } from '../../data/hub.js';
import type { Question } from '../../data/store.js';
import { Code } from '../../parts/code.js';
import { Icon } from '../../parts/icon.js';
import { Free } from '../../parts/free.js';
import { timeLeft } from '../../parts/words/time-words.js';
import { LeftBar, Time } from '../../parts/words/time.js';
import { Name, Who } from '../../parts/who.js';
import { decideButtons } from './decide-buttons.js';
import { ObstacleState } from './obstacle-state.js';
import { PermissionOutcome } from './outcome-state.js';
import { PermissionButtons } from './permission-buttons.js';
import { showCall } from '../../parts/shown-call.js';
import { isShort, ToolCallView } from './tool-call.js';

export interface PermissionViewProps {
  question: Question;
  toolCall: ToolCall;
  onAcceptKey: () => void;
}

export function PermissionView({ question, toolCall, onAcceptKey }: PermissionViewProps) {
  const call = showCall(toolCall);
  const [isExpanded, setExpanded] = useState(false);
  const isHashRight = useHashCheck(toolCall, question.callHash);
  const isWhole = isExpanded || isShort(call);
  const signedIn = hub.value?.signedIn;
  const isSenderKnown = question.opened.sender !== 'changed';
  const buttons = decideButtons({ signedIn, isHashRight, isSenderKnown, isWhole });
  const asker = question.fromName ?? question.from;
  const isPending = question.status === 'pending';
  return (
    <div class="cols">
      <article class="focus" aria-labelledby="q" data-item tabIndex={-1}>
        <Asker question={question} cwd={toolCall.cwd} />
        <h2 class="q" id="q">
          <bdi>{call.title}</bdi>
        </h2>
        {isPending && <Timer question={question} asker={asker} />}
        <ToolCallView call={call} isWhole={isWhole} onShowAll={() => setExpanded(true)} />
        {call.claim !== null && <Claim asker={asker} text={call.claim} />}
        {!isPending && <PermissionOutcome question={question} asker={asker} />}
        {isPending && buttons.obstacle !== undefined && (
          <ObstacleState obstacle={buttons.obstacle} asker={asker} onAcceptKey={onAcceptKey} />
        )}
        {isPending && <Decision question={question} buttons={buttons} asker={asker} />}
        {isPending && (
          <p class="small muted">
            Without an answer nothing is allowed and nothing is denied. <bdi>{asker}</bdi>’s own prompt decides.
          </p>
        )}
      </article>
      <AboutCall question={question} toolCall={toolCall} asker={asker} isHashRight={isHashRight} />
    </div>
  );
}

/** Undefined until it is computed. */
function useHashCheck(toolCall: ToolCall, expected: string | undefined): boolean | undefined {
  const [checked, setChecked] = useState<{ input: string; isRight: boolean }>();
  const { tool, input, cwd } = toolCall;
  useEffect(() => {
    let isCurrent = true;
    void callHash({ tool, input, cwd }).then((hash) => {
      if (isCurrent) setChecked({ input, isRight: hash === expected });
    });
    return () => {
      isCurrent = false;
    };
  }, [tool, input, cwd, expected]);
  return checked?.input === input ? checked.isRight : undefined;
}

function Asker({ question, cwd }: { question: Question; cwd: string | null }) {
  return (
    <div class="asker">
      <Who id={question.from} size="l" />
      <div>
        <p>
          <Name id={question.from} name={question.fromName} /> wants permission
        </p>
        <p class="sub">
          {question.projectId !== undefined && (
            <>
              <bdi>{question.projectId}</bdi> ·{' '}
            </>
          )}
          {cwd !== null && (
            <>
              in <bdi class="mono">{cwd}</bdi> ·{' '}
            </>
          )}
          <Time at={question.askedAt} />
        </p>
      </div>
    </div>
  );
}

function Timer({ question, asker }: { question: Question; asker: string }) {
  if (question.expiresAt === undefined) return null;
  return (
    <div class="timer">
      <LeftBar from={question.askedAt} until={question.expiresAt} />
      <p>
        <span class="mark">{timeLeft(Date.parse(question.expiresAt) - now.value)}</span>
        <span>
          Then <bdi>{asker}</bdi>’s own terminal asks.
        </span>
      </p>
    </div>
  );
}

function Claim({ asker, text }: { asker: string; text: string }) {
  return (
    <div>
      <p class="small muted">
        <bdi>{asker}</bdi> says, and only <bdi>{asker}</bdi> says:
      </p>
      <p class="claim" dir="auto">
        {text}
      </p>
    </div>
  );
}

interface DecisionProps {
  question: Question;
  buttons: ReturnType<typeof decideButtons>;
  asker: string;
}

function Decision({ question, buttons, asker }: DecisionProps) {
  const options = question.opened.content?.options ?? [];
  const deny = options.indexOf('Deny') + 1;
  const current = sending.value[question.id];
  const choose = (option: number, response = options[option - 1] ?? '') => {
    void answer(question, { status: 'answered', option, response });
  };
  return (
    <>
      <PermissionButtons
        options={options}
        scope={question.opened.content?.context ?? `Also later calls like this one, until ${asker}’s program ends`}
        buttons={buttons}
        chosen={current?.option}
        onChoose={(option) => choose(option)}
      />
      {deny > 0 && (
        <Free
          draftId={question.id}
          label="Say why (optional)"
          button="Deny with this"
          isDisabled={!buttons.mayDeny || current !== undefined}
          onSend={(text) => choose(deny, text)}
        />
      )}
    </>
  );
}

interface AboutCallProps {
  question: Question;
  toolCall: ToolCall;
  asker: string;
  isHashRight: boolean | undefined;
}

/** By the number of the option; not every call has the third. */
const keyWords = ['allow', 'deny', 'for this session'];

function AboutCall({ question, toolCall, asker, isHashRight }: AboutCallProps) {
  const isPending = question.status === 'pending';
  const hash = (question.callHash ?? '').replace(/(.{8})/g, '$1 ').trim();
  return (
    <aside class="aside" aria-label="About this call">
      <dl class="facts panel">
        {isPending && (
          <div>
            <dt>
              Also open at <bdi>{asker}</bdi>’s terminal
            </dt>
            <dd>The first answer counts, there or here. The other prompt closes.</dd>
          </div>
        )}
        <div>
          <dt>Counts for this call only</dt>
          <dd>
            Your answer is signed by this device and bound to the call. If one character changes, it is asked again.
          </dd>
        </div>
      </dl>
      <dl class="kv panel">
        <dt>Tool</dt>
        <dd class="mono">
          <bdi>{toolCall.tool}</bdi>
        </dd>
        {toolCall.cwd !== null && (
          <>
            <dt>Folder</dt>
            <dd class="mono">
              <bdi>{toolCall.cwd}</bdi>
            </dd>
          </>
        )}
        <dt>Hash</dt>
        <dd class="mono">
          sha256 {hash}
          {isHashRight === true && ' (checked here)'}
        </dd>
      </dl>
      <details class="fold panel">
        <summary>
          <Icon name="twist" size="tw" />
          All arguments, as sent
        </summary>
        <Code text={toolCall.input} />
      </details>
      {isPending && (
        <p class="keys">
          {keyWords.slice(0, question.optionCount).map((word, index) => (
            <span>
              <kbd>{index + 1}</kbd>
              {word}
            </span>
          ))}
        </p>
      )}
    </aside>
  );
}
