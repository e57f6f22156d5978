// Several agents in one conversation: their messages become user text labelled with their names, while tool calls and
// results are unchanged. Thinking is private and left out.
import type { FormatStyle } from '../contract/format-choice.js';
import { escapeLabels } from './escape-labels.js';
import { eachInSteps } from './in-steps.js';
import { isMedia, mediaPlaceholder } from './media.js';
import type { Provider } from './provider.js';
import type { MediaBlock, TurnMessage, TurnBlock, TextBlock, Turn } from './turn.js';
import type { Speakers } from './speakers.js';

export const defaultHistoryPrompt =
  '# Conversation history\nThe lines between the <history> tags were said in this conversation, each after the name of who said it.';

interface MergeOptions {
  readonly provider: Provider;
  readonly style: FormatStyle;
  readonly speakers: Speakers;
  readonly historyPrompt: string;
}

/** The turns must be escaped. */
export function* mergeSpeakers(turns: readonly Turn[], options: MergeOptions): Generator<void, Turn[]> {
  if (options.style === 'history') return inHistory(turns, options);
  return (yield* eachInSteps(turns, (turn) => inBrackets(turn, options))).flat();
}

export function escapeTurn(turn: Turn, speakers: Speakers): Turn {
  if (turn.message.role === 'system') return turn;
  const blocks = turn.message.blocks.map((block) =>
    block.type === 'text' ? { ...block, text: escapeLabels(block.text, speakers) } : block,
  );
  return { ...turn, message: { ...turn.message, blocks } };
}

const hasNoCalls = ({ message, exchanges }: Turn): boolean => message.role !== 'system' && exchanges.length === 0;

type VisibleBlock = TextBlock | MediaBlock;

const visibleBlocks = (blocks: readonly TurnBlock[]): VisibleBlock[] =>
  blocks.filter((block): block is VisibleBlock => block.type === 'text' || isMedia(block));

function inBrackets(turn: Turn, { speakers }: MergeOptions): Turn[] {
  if (!hasNoCalls(turn)) return [turn];
  const [first, ...rest] = visibleBlocks(turn.message.blocks);
  if (first === undefined) return [];
  const label = `[${speakers.labelOf(turn.message)}]:`;
  const blocks: VisibleBlock[] =
    first.type === 'text'
      ? [{ ...first, text: `${label} ${first.text}` }, ...rest]
      : [{ type: 'text', text: label }, first, ...rest];
  return [{ ...turn, message: { role: 'user', blocks } }];
}

function inHistory(turns: readonly Turn[], options: MergeOptions): Turn[] {
  const { laterSystem } = options.provider.history;
  const merged: Turn[] = [];
  let lines: Turn[] = [];
  let histories = 0;
  const flush = () => {
    const message = historyOf(lines, options, histories === 0);
    if (message !== undefined) {
      merged.push({ message, exchanges: [], origins: lines.flatMap(({ origins }) => origins) });
      histories += 1;
    }
    lines = [];
  };
  for (const [index, turn] of turns.entries()) {
    const isLine = hasNoCalls(turn) || (turn.message.role === 'system' && index > 0 && laterSystem === 'line');
    // A separate system field does not interrupt the history.
    const isSeparate = turn.message.role === 'system' && !isLine && options.provider.system === 'separate';
    if (isLine) lines.push(turn);
    else {
      if (!isSeparate) flush();
      merged.push(turn);
    }
  }
  flush();
  return merged;
}

/** One user message with all lines; undefined if they have no visible blocks. */
function historyOf(lines: readonly Turn[], options: MergeOptions, isFirst: boolean): TurnMessage | undefined {
  const { provider, speakers, historyPrompt } = options;
  const { media, opening, closing, beforeMedia, repeatPrompt, asParts } = provider.history;
  const spoken = lines.flatMap(({ message }) =>
    visibleBlocks(message.blocks).map((block) => ({ block, label: speakers.labelOf(message) })),
  );
  if (spoken.length === 0) return undefined;
  const blocks: VisibleBlock[] = [];
  const after: MediaBlock[] = [];
  let text = `${isFirst || repeatPrompt === true ? `${historyPrompt}\n` : ''}${opening}`;
  for (const { block, label } of spoken) {
    if (block.type === 'text') text += `${label}: ${block.text}\n`;
    else if (media === 'after') {
      text += `${label}: ${mediaPlaceholder(block)}\n`;
      after.push(block);
    } else {
      const before = beforeMedia === '' && text.endsWith('\n') ? text.slice(0, -1) : text;
      if (before !== '') blocks.push({ type: 'text', text: before });
      blocks.push(block);
      text = '';
    }
  }
  blocks.push({ type: 'text', text: `${text}${closing}` }, ...after);
  return { role: 'user', blocks, ...(asParts === true ? { asParts: true } : {}) };
}
