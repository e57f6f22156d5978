// Whatever a message says and however little fits: its parts make up the whole, and no character is torn.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutMessage } from '../../dist/contract/budget/cut-message.js';
import { messageTokens } from '../../dist/contract/budget/message-tokens.js';

const message = (text: string) => ({
  id: 'ma1abc',
  seq: 1,
  sender: 'ann',
  content: [{ type: 'text' as const, text }],
  timestamp: '2026-01-01T00:00:00.000Z',
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('🚀', 'a', '"', '<', '\n', '漢', 'word '), minLength: 1, maxLength: 800 }),
);

it('a message read part by part is the message', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 400 }), (whole, tokens) => {
      const parts: string[] = [];
      let next: number | undefined = 0;
      while (next !== undefined) {
        const shown = cutMessage(message(whole), tokens, next);
        const part = shown.content[0]?.type === 'text' ? shown.content[0].text : '';
        // Half a character would not survive being written as UTF-8.
        expect(Buffer.from(part).toString()).toBe(part);
        expect(part === '' && shown.cut?.next !== undefined).toBe(false);
        // One character always comes, even where its frame alone costs more.
        if (Array.from(part).length > 1) expect(messageTokens(shown)).toBeLessThanOrEqual(tokens);
        parts.push(part);
        next = shown.cut?.next === undefined ? undefined : shown.cut.to;
      }
      expect(parts.join('')).toBe(whole);
    }),
  );
});

it('a text of characters of two units is never cut between them, whatever the budget', () => {
  for (let tokens = 60; tokens < 400; tokens += 1) {
    const shown = cutMessage(message('🚀'.repeat(300)), tokens);
    expect(JSON.stringify(shown.content)).not.toContain('\\ud');
  }
});
