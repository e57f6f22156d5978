// What holds for every list of messages and every provider.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatModes, formatProviders, formatStyles, type GivenMessage } from '../../dist/contract/index.js';
import { formatMessages, type FormatOptions } from '../../dist/format/index.js';
import { wildMessages } from './arbitrary-messages.js';
import { exchangesOf } from './exchanges.js';

const runs = { numRuns: 300 };

const options: fc.Arbitrary<Omit<FormatOptions, 'provider'>> = fc.record(
  {
    mode: fc.constantFrom(...formatModes),
    style: fc.constantFrom(...formatStyles),
    tokensMax: fc.integer({ min: 1, max: 400 }),
  },
  { requiredKeys: [] },
);

/** Every string anywhere in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The same messages, every text of a tool's output replaced by a word that occurs once. */
function withMarkedResults(messages: readonly GivenMessage[]): { marked: GivenMessage[]; marks: string[] } {
  const marks: string[] = [];
  const marked = messages.map((message) => ({
    ...message,
    content: message.content.map((block) => {
      if (block.type !== 'tool_result') return block;
      marks.push(`result${marks.length}end`);
      return { ...block, output: [{ type: 'text' as const, text: marks.at(-1) ?? '' }] };
    }),
  }));
  return { marked, marks };
}

describe.each(formatProviders)('every list of messages for %s', (provider) => {
  it('is written without a throw, as plain JSON', () => {
    fc.assert(
      fc.property(wildMessages, options, (messages, how) => {
        const formatted = formatMessages(messages, { provider, ...how });
        expect(JSON.parse(JSON.stringify(formatted))).toStrictEqual(formatted);
        expect(formatted.system === undefined || ['anthropic', 'gemini'].includes(provider)).toBe(true);
      }),
      runs,
    );
  });

  it('is not changed by it', () => {
    fc.assert(
      fc.property(wildMessages, options, (messages, how) => {
        const before = structuredClone(messages);
        formatMessages(messages, { provider, ...how });
        expect(messages).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps every tool result, exactly once', () => {
    fc.assert(
      fc.property(
        wildMessages,
        fc.constantFrom(...formatModes),
        fc.constantFrom(...formatStyles),
        (messages, mode, style) => {
          const { marked, marks } = withMarkedResults(messages);
          const texts = stringsIn(formatMessages(marked, { provider, mode, style })).join('\n');
          for (const mark of marks) expect(texts.split(mark)).toHaveLength(2);
        },
      ),
      runs,
    );
  });

  it('pairs calls and results as the API demands', () => {
    fc.assert(
      fc.property(wildMessages, options, (messages, how) => {
        const formatted = formatMessages(messages, { provider, ...how });
        for (const { calls, results, isLast } of exchangesOf(provider, formatted.messages)) {
          expect(new Set(calls).size).toBe(calls.length);
          if (results.length > 0 || !isLast) expect(results).toEqual(calls);
        }
      }),
      runs,
    );
  });

  it('keeps every text byte for byte in chat mode', () => {
    // Anthropic refuses a text without a word in it, Gemini an empty one.
    const isSendable = (text: string) => (provider === 'anthropic' ? text.trim() !== '' : text !== '');
    fc.assert(
      fc.property(wildMessages, (messages) => {
        const strings = stringsIn(formatMessages(messages, { provider, mode: 'chat' }));
        const texts = messages.flatMap(({ content }) =>
          content.flatMap((block) => (block.type === 'text' ? block.text : [])),
        );
        for (const text of texts.filter(isSendable)) expect(strings.some((string) => string.includes(text))).toBe(true);
      }),
      runs,
    );
  });

  it('never lets the hub speak as the system', () => {
    fc.assert(
      fc.property(wildMessages, options, (messages, how) => {
        const fromHub = messages.map((message) => ({ ...message, sender: 'system' }));
        const { messages: written, system } = formatMessages(fromHub, { provider, ...how });
        expect(system).toBeUndefined();
        expect(written.filter(({ role }) => role === 'system')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
