// Models that reason aloud write it in front of their answer, between tags: that part becomes a block of its own.
import type { ContentBlock } from '../content-block.js';

const [opening, closing] = ['<think>', '</think>'];

/** Only in front of everything said, and only when it is closed: what never ends may be the answer itself. */
export function splitThinking(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const at = blocks.findIndex((block) => block.type !== 'thinking');
  const block = blocks[at];
  if (block?.type !== 'text') return blocks;
  const start = skipSpace(block.text);
  if (!block.text.startsWith(opening, start)) return blocks;
  const end = block.text.indexOf(closing, start);
  if (end < 0) return blocks;
  const thinking = block.text.slice(start + opening.length, end).trim();
  const said = block.text.slice(end + closing.length).trimStart();
  return [
    ...blocks.slice(0, at),
    ...(thinking === '' ? [] : [{ type: 'thinking' as const, thinking }]),
    ...(said === '' ? [] : [{ ...block, text: said }]),
    ...blocks.slice(at + 1),
  ];
}

function skipSpace(text: string): number {
  let index = 0;
  while (index < text.length && ' \t\r\n'.includes(text.charAt(index))) index += 1;
  return index;
}
