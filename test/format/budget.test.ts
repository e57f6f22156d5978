// Within a budget the oldest goes first, and a call never without its result.
import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer';
import { describe, expect, it } from 'vitest';
import { formatProviders } from '../../dist/contract/index.js';
import { formatMessages } from '../../dist/format/index.js';
import { exchangesOf } from './exchanges.js';

const words = 'The quick brown fox jumps over the lazy dog, and then it sleeps. ';

const says = (text: string) => ({ name: 'Ann', role: 'USER' as const, content: [{ type: 'text' as const, text }] });
const asks = (id: string) => ({
  role: 'ASSISTANT' as const,
  content: [
    { type: 'tool_use' as const, id, name: 'f', input: { q: words } },
    { type: 'tool_use' as const, id: `${id}b`, name: 'g', input: {} },
  ],
});
const answers = (id: string) => ({
  role: 'TOOL' as const,
  content: [{ type: 'tool_result' as const, toolUseId: id, output: words.repeat(3) }],
});

const talk = [
  { role: 'SYSTEM' as const, content: [{ type: 'text' as const, text: 'You are brief.' }] },
  ...Array.from({ length: 12 }, (_, turn) => [
    says(`${turn} ${words.repeat(2)}`),
    asks(`c${turn}`),
    answers(`c${turn}`),
    answers(`c${turn}b`),
  ]).flat(),
  says('Last word'),
];

describe.each(formatProviders)('for %s', (provider) => {
  it('a list stays within, keeps the system and the last word, and parts no call from its result', () => {
    fc.assert(
      fc.property(fc.integer({ min: 150, max: 6_000 }), fc.constantFrom('chat', 'multiagent'), (tokensMax, mode) => {
        const formatted = formatMessages(talk, { provider, mode, tokensMax });
        const { messages, system = '', leftOut = 0 } = formatted;
        expect(countTokens(JSON.stringify(messages) + system)).toBeLessThanOrEqual(tokensMax);
        expect(JSON.stringify(formatted)).toContain('You are brief.');
        expect(JSON.stringify(messages)).toContain('Last word');
        for (const { calls, results } of exchangesOf(provider, messages)) expect(results).toEqual(calls);
        expect(JSON.stringify(formatted)).not.toMatch(/of tool call|without a result/);
        expect(leftOut).toBe(talk.length - countKept(JSON.stringify(formatted)));
      }),
      { numRuns: 40 },
    );
  });

  it('a list that fits is whole', () => {
    const whole = formatMessages(talk, { provider });
    expect(formatMessages(talk, { provider, tokensMax: 100_000 })).toEqual(whole);
    expect(whole.leftOut).toBeUndefined();
  });
});

/** System, last word, and for each round its question and the three messages of its tools, which come and go together. */
function countKept(json: string): number {
  const questions = [...json.matchAll(/(?:"|: )\d+ The quick/g)].length;
  const exchanges = [...json.matchAll(/"(?:name|tool_name)":"g","?(?:arguments|input|args)/g)].length;
  return 2 + questions + 3 * exchanges;
}

it('the last turn stays even when it alone is too long, and says what is missing', () => {
  const { messages, leftOut } = formatMessages([says('old'), says(words.repeat(50))], {
    provider: 'openai',
    tokensMax: 10,
  });
  expect([messages.length, leftOut]).toEqual([1, 1]);
});
