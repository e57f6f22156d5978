// Text helpers shared by several providers.
import type { JsonObject, TurnMessage, TurnBlock, TextBlock, ThinkingBlock } from './turn.js';

/** All text blocks, joined by newlines. */
export function joinText(blocks: readonly TurnBlock[]): string {
  return blocks
    .filter((block) => block.type === 'text')
    .map(({ text }) => text)
    .join('\n');
}

export function joinThinking(blocks: readonly TurnBlock[]): string {
  return blocks
    .filter((block) => block.type === 'thinking')
    .map(({ thinking }) => thinking)
    .join('\n');
}

/** Anthropic refuses blank text blocks. */
export function isNotBlank(block: TextBlock): boolean {
  return block.text.trim() !== '';
}

/** A field that the contract keeps without defining it. */
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

/** OpenAI allows `[a-zA-Z0-9_-]{1,64}` in `name`. Undefined if no valid character is left. */
export function participantName({ name, sender }: TurnMessage): string | undefined {
  const candidates = [name, sender].filter((candidate) => candidate !== undefined);
  const fitting = candidates.find((candidate) => /^[a-zA-Z0-9_-]{1,64}$/.test(candidate));
  if (fitting !== undefined) return fitting;
  return candidates
    .map((candidate) => candidate.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64))
    .find((candidate) => /[a-zA-Z0-9]/.test(candidate));
}
