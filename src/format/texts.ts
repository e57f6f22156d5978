// Small readings of what was said that several providers share.
import type { JsonObject, Said, SaidBlock, TextBlock, ThinkingBlock } from './said.js';

/** Text blocks in one text, by newlines. */
export function textOfSaid(blocks: readonly SaidBlock[]): string {
  return blocks
    .filter((block) => block.type === 'text')
    .map(({ text }) => text)
    .join('\n');
}

export function thoughtsOf(blocks: readonly SaidBlock[]): string {
  return blocks
    .filter((block) => block.type === 'thinking')
    .map(({ thinking }) => thinking)
    .join('\n');
}

/** Text with something to read in it: Anthropic refuses a text block of spaces. */
export function hasWords(block: TextBlock): boolean {
  return block.text.trim() !== '';
}

/** A field of a block that is kept though this contract does not name it. */
export function textField(
  block: TextBlock | ThinkingBlock | JsonObject,
  ...names: readonly string[]
): string | undefined {
  for (const name of names) {
    const value = block[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** `[a-zA-Z0-9_-]{1,64}`: what OpenAI allows in `name`. Nothing, when nothing would be left of it. */
export function participantName({ name, sender }: Said): string | undefined {
  const candidates = [name, sender].filter((word) => word !== undefined);
  const fitting = candidates.find((word) => /^[a-zA-Z0-9_-]{1,64}$/.test(word));
  if (fitting !== undefined) return fitting;
  return candidates
    .map((word) => word.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64))
    .find((word) => /[a-zA-Z0-9]/.test(word));
}
