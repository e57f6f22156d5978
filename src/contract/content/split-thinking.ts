// Some models write their reasoning in tags before their answer: that part becomes a thinking block.
import type { ContentBlock } from '../content-block.js';

const [opening, closing] = ['<think>', '</think>'];

/** Only before all other text, and only with a closing tag: unclosed, it may be the answer itself. */
export function splitThinking(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const at = blocks.findIndex((block) => block.type !== 'thinking');
  const block = blocks[at];
  if (block?.type !== 'text') return blocks;
  const start = skipSpace(block.text);
  if (!block.text.startsWith(opening, start)) return blocks;
  const end = block.text.indexOf(closing, start);
  if (end < 0) return blocks;
  const thinking = block.text.slice(start + opening.length, end).trim();
  const rest = block.text.slice(end + closing.length).trimStart();
  return [
    ...blocks.slice(0, at),
    ...(thinking === '' ? [] : [{ type: 'thinking' as const, thinking }]),
    ...(rest === '' ? [] : [{ ...block, text: rest }]),
    ...blocks.slice(at + 1),
  ];
}

function skipSpace(text: string): number {
  let index = 0;
  while (index < text.length && ' \t\r\n'.includes(text.charAt(index))) index += 1;
  return index;
}
