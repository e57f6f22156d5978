// A tool call, shown whole. What is too long to be seen at once is cut visibly, and says how much is missing.
import { useState } from 'preact/hooks';
import { Code } from '../../parts/code.js';
import { beginningOf, type ShownCall } from '../../parts/shown-call.js';

/** More than a phone shows in three screens; whoever decides shall not scroll past it without noticing. */
const linesMax = 60;
const charactersMax = 6_000;

export interface ToolCallProps {
  call: ShownCall;
  isWhole: boolean;
  onShowAll: () => void;
}

/** True if all of it is seen at once. */
export function isShort(call: ShownCall): boolean {
  return beginningOf(call, linesMax, charactersMax).linesLeft === 0;
}

export function ToolCallView({ call, isWhole, onShowAll }: ToolCallProps) {
  const { parts, linesLeft } = isWhole
    ? { parts: call.parts, linesLeft: 0 }
    : beginningOf(call, linesMax, charactersMax);
  const count = `${call.lineCount} ${call.lineCount === 1 ? 'line' : 'lines'}`;
  return (
    <div class="stack-s">
      {parts.map(({ name, lines }, index) => (
        <div>
          <p class="code-head">
            <span>
              {index === 0 && (linesLeft === 0 ? `The whole call, ${count}` : `The beginning of the call, of ${count}`)}
              {index === 0 && name !== '' && ': '}
              {name !== '' && <bdi class="mono">{name}</bdi>}
            </span>
            {index === 0 && <Copy text={lines.join('\n')} />}
          </p>
          <Code text={lines.join('\n')} isNumbered />
        </div>
      ))}
      {linesLeft > 0 && (
        <div>
          <p class="cut">
            <span>
              Cut here. {linesLeft} more {linesLeft === 1 ? 'line' : 'lines'}.
            </span>
            <button class="btn" type="button" onClick={onShowAll}>
              Show all {count}
            </button>
          </p>
          <p class="small muted">Allow stays off until all lines were shown.</p>
        </div>
      )}
    </div>
  );
}

function Copy({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  if (navigator.clipboard === undefined) return null;
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return (
    <button class="textlink end" type="button" onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
