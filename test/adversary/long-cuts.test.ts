// Cutting long messages for a model costs what the model is shown, not what the messages are long: a page of them holds up nobody.
import { expect, it } from 'vitest';
import { cutMessage } from '../../dist/contract/budget/cut-message.js';
import { messageTokens } from '../../dist/contract/budget/message-tokens.js';
import { processorMs } from '../support/processor-time.js';

const chars = 250_000;
/** What is cheap, what is dear, what grows when it is escaped, and what is not the same everywhere. */
const texts: Readonly<Record<string, string>> = {
  words: 'The quick brown fox jumps. '.repeat(chars / 27),
  spaces: ' '.repeat(chars),
  markup: '<&>'.repeat(chars / 3),
  controls: '\u0001'.repeat(chars),
  han: '漢字仮名'.repeat(chars / 12),
  uneven: ' '.repeat(chars / 2) + '<&>'.repeat(chars / 6),
};
const long = (text: string) => ({
  id: 'ma1abc',
  seq: 1,
  sender: 'ann',
  content: [{ type: 'text' as const, text }],
  timestamp: '2026-01-01T00:00:00.000Z',
});

/** The least of a few runs: the first also compile, and collect the garbage of others. */
const leastMs = (work: () => void) => Math.min(...[1, 2, 3, 4].map(() => processorMs(work)));

it.each(Object.entries(texts))('a page of eight long hits of %s', (_, text) => {
  const page = Array.from({ length: 8 }, () => long(text));
  expect(leastMs(() => page.forEach((message) => cutMessage(message, 400)))).toBeLessThan(50);
});

it.each(Object.entries(texts))('a long message of %s, for a model with the usual budget', (_, text) => {
  expect(leastMs(() => void cutMessage(long(text), 8_000))).toBeLessThan(50);
});

it.each(Object.entries(texts))('uses what is allowed, of a message of %s', (_, text) => {
  for (const tokens of [400, 8_000]) {
    const cost = messageTokens(cutMessage(long(text), tokens));
    expect(cost).toBeLessThanOrEqual(tokens);
    // Eight characters for a token are the most that is tried.
    if (text.trim() !== '' && !text.startsWith(' ')) expect(cost).toBeGreaterThan(tokens * 0.9);
  }
});
