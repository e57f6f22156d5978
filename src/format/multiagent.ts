// Several agents in one conversation: what they say becomes user text under their names, while a tool call and its
// results stay what they are. Thoughts are nobody else's business and stay out.
import type { FormatStyle } from '../contract/format-choice.js';
import { forgeProof } from './forge-proof.js';
import { isMedia, placeOf } from './media.js';
import type { Provider } from './provider.js';
import type { MediaBlock, Said, SaidBlock, TextBlock, Turn } from './said.js';
import type { Speakers } from './speakers.js';

export const defaultHistoryPrompt =
  '# Conversation history\nThe lines between the <history> tags were said in this conversation, each after the name of who said it.';

interface Together {
  readonly provider: Provider;
  readonly style: FormatStyle;
  readonly speakers: Speakers;
  readonly historyPrompt: string;
}

export function speakTogether(turns: readonly Turn[], together: Together): Turn[] {
  const proof = turns.map((turn) => withoutForgery(turn, together.speakers));
  return together.style === 'brackets'
    ? proof.flatMap((turn) => inBrackets(turn, together))
    : inHistory(proof, together);
}

function withoutForgery(turn: Turn, speakers: Speakers): Turn {
  if (turn.said.role === 'system') return turn;
  const blocks = turn.said.blocks.map((block) =>
    block.type === 'text' ? { ...block, text: forgeProof(block.text, speakers) } : block,
  );
  return { ...turn, said: { ...turn.said, blocks } };
}

const isPlainSpeech = ({ said, answered }: Turn): boolean => said.role !== 'system' && answered.length === 0;

type Heard = TextBlock | MediaBlock;

const heardOf = (blocks: readonly SaidBlock[]): Heard[] =>
  blocks.filter((block): block is Heard => block.type === 'text' || isMedia(block));

function inBrackets(turn: Turn, { speakers }: Together): Turn[] {
  if (!isPlainSpeech(turn)) return [turn];
  const [first, ...rest] = heardOf(turn.said.blocks);
  if (first === undefined) return [];
  const mark = `[${speakers.markOf(turn.said)}]:`;
  const blocks: Heard[] =
    first.type === 'text'
      ? [{ ...first, text: `${mark} ${first.text}` }, ...rest]
      : [{ type: 'text', text: mark }, first, ...rest];
  return [{ ...turn, said: { role: 'user', blocks } }];
}

function inHistory(turns: readonly Turn[], together: Together): Turn[] {
  const { laterSystem } = together.provider.history;
  const told: Turn[] = [];
  let lines: Turn[] = [];
  let histories = 0;
  const flush = () => {
    const said = historyOf(lines, together, histories === 0);
    if (said !== undefined) {
      told.push({ said, answered: [], origins: lines.flatMap(({ origins }) => origins) });
      histories += 1;
    }
    lines = [];
  };
  for (const [index, turn] of turns.entries()) {
    const isLine = isPlainSpeech(turn) || (turn.said.role === 'system' && index > 0 && laterSystem === 'line');
    // System text that stands beside the messages does not part them.
    const isAside = turn.said.role === 'system' && !isLine && together.provider.system === 'aside';
    if (isLine) lines.push(turn);
    else {
      if (!isAside) flush();
      told.push(turn);
    }
  }
  flush();
  return told;
}

/** One user message of all lines; undefined when nobody said anything. */
function historyOf(lines: readonly Turn[], together: Together, isFirst: boolean): Said | undefined {
  const { provider, speakers, historyPrompt } = together;
  const { media, opening, closing, beforeMedium, repeatsPrompt, isInParts } = provider.history;
  const told = lines.flatMap(({ said }) =>
    heardOf(said.blocks).map((block) => ({ block, mark: speakers.markOf(said) })),
  );
  if (told.length === 0) return undefined;
  const blocks: Heard[] = [];
  const behind: MediaBlock[] = [];
  let text = `${isFirst || repeatsPrompt === true ? `${historyPrompt}\n` : ''}${opening}`;
  for (const { block, mark } of told) {
    if (block.type === 'text') text += `${mark}: ${block.text}\n`;
    else if (media === 'behind') {
      text += `${mark}: ${placeOf(block)}\n`;
      behind.push(block);
    } else {
      const before = beforeMedium === '' && text.endsWith('\n') ? text.slice(0, -1) : text;
      if (before !== '') blocks.push({ type: 'text', text: before });
      blocks.push(block);
      text = '';
    }
  }
  blocks.push({ type: 'text', text: `${text}${closing}` }, ...behind);
  return { role: 'user', blocks, ...(isInParts === true ? { isInParts: true } : {}) };
}
