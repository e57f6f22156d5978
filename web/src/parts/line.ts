// A message in one line.
import type { Message } from '../data/types.js';

/** Its text in one line; without text, the kinds of its blocks. */
export function lineOf({ content }: Pick<Message, 'content'>): string {
  const said = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const parts = said.length > 0 ? said : content.map(({ type }) => `[${type.replaceAll('_', ' ')}]`);
  return parts.join(' ').replaceAll(/\s+/g, ' ').trim();
}
