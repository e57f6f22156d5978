// The content of a message as it is: text, pictures, tool calls folded with their results, thinking marked as such.
import type { ContentBlock, MediaBlock, ResultPart } from '../../../../src/contract/content-block.js';
import { Code } from '../../parts/code.js';
import { Icon } from '../../parts/icon.js';
import { Markdown, safeTarget } from '../../parts/markdown.js';
import { linkedMentions } from '../../parts/mention.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Picture } from './picture.js';
import { isFolded, resultFor, useFor, type ToolIndex, type ToolResult, type ToolUse } from './tools.js';

export interface BlocksProps {
  messageId: string;
  sender: string;
  content: readonly ContentBlock[];
  tools: ToolIndex;
}

export function Blocks({ messageId, sender, content, tools }: BlocksProps) {
  return <>{content.map((block) => one(block))}</>;

  /** In this message, or in another of the same sender. */
  function resultOf(use: ToolUse) {
    const own = content.find((block) => block.type === 'tool_result' && block.toolUseId === use.id);
    if (own?.type === 'tool_result') return { result: own };
    return { result: resultFor(tools, sender, use), isElsewhere: true };
  }

  function one(block: ContentBlock) {
    switch (block.type) {
      case 'text':
        return <Markdown text={block.text} leaf={linkedMentions} />;
      case 'thinking':
        return <Thinking text={block.thinking} sender={sender} />;
      case 'tool_use':
        return <Tool messageId={messageId} use={block} {...resultOf(block)} />;
      case 'tool_result':
        if (isFolded(block, content)) return null;
        return <Tool messageId={messageId} use={useFor(tools, sender, block)} result={block} isResult />;
      default:
        return <Media messageId={messageId} block={block} />;
    }
  }
}

function Thinking({ text, sender }: { text: string; sender: string }) {
  return (
    <details class="think">
      <summary>
        <Icon name="twist" size="tw" />
        <Icon name="thought" size="s" />
        <b>Thinking</b>
        <span class="muted">
          shared by <bdi>{spellHidden(sender)}</bdi>, not an answer
        </span>
      </summary>
      <p class="pre" dir="auto">
        {spellHidden(text)}
      </p>
    </details>
  );
}

interface ToolProps {
  messageId: string;
  use: ToolUse | undefined;
  result: ToolResult | undefined;
  /** The result alone: its call is in another message, or unknown. */
  isResult?: boolean;
  /** The result is in another message, whose pictures are fetched by its own id. */
  isElsewhere?: boolean;
}

function Tool({ messageId, use, result, isResult = false, isElsewhere = false }: ToolProps) {
  const isError = result?.['isError'] === true;
  const name = use?.name ?? (typeof result?.['name'] === 'string' ? result['name'] : 'a tool');
  return (
    <details class="tool">
      <summary>
        <Icon name="twist" size="tw" />
        <Icon name="tool" size="s" />
        <b class="mono">
          <bdi>{spellHidden(name)}</bdi>
        </b>
        <span class="muted" dir="auto">
          {isResult ? 'result' : spellHidden(shortOf(use))}
        </span>
        <span class={isError ? 'end c-bad' : 'end'}>
          {result === undefined ? 'no result yet' : isError ? 'failed' : 'ok'}
        </span>
      </summary>
      <div class="tool-in">
        {use !== undefined && !isResult && (
          <>
            <p class="lbl">Call</p>
            <Code text={JSON.stringify(use.input, null, 2)} />
          </>
        )}
        {result !== undefined && (
          <>
            <p class="lbl">Result</p>
            <Output messageId={messageId} output={result.output} isElsewhere={isElsewhere} />
          </>
        )}
      </div>
    </details>
  );
}

const shortChars = 120;

/** The first argument that says something, for the folded line. */
function shortOf(use: ToolUse | undefined): string {
  const first = Object.values(use?.input ?? {}).find((value) => typeof value === 'string' || typeof value === 'number');
  return first === undefined ? '' : String(first).slice(0, shortChars);
}

interface OutputProps {
  messageId: string;
  output: string | readonly ResultPart[];
  isElsewhere: boolean;
}

function Output({ messageId, output, isElsewhere }: OutputProps) {
  if (typeof output === 'string') return <Code text={output} />;
  return (
    <>
      {output.map((part) => {
        if (part.type === 'text') return <Code text={part.text} />;
        return isElsewhere ? <p class="row-sub">{part.type}</p> : <Media messageId={messageId} block={part} />;
      })}
    </>
  );
}

function Media({ messageId, block }: { messageId: string; block: MediaBlock }) {
  const { type, source } = block;
  if (source.type !== 'url') return <Picture messageId={messageId} kind={type} source={source} />;
  // Not fetched: it would tell its host who reads, and when.
  const target = safeTarget(source.url);
  if (target === undefined) return <p class="row-sub">{spellHidden(`${type}: ${source.url}`)}</p>;
  return (
    <p class="md">
      <a
        href={target.href}
        data-host={target.host}
        target="_blank"
        rel="noopener noreferrer nofollow"
        referrerpolicy="no-referrer"
      >
        {type}
      </a>
    </p>
  );
}
