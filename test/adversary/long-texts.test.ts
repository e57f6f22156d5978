// Texts of 250 KB that were made to be slow pass every formatter, importer and renderer in time that grows with them.
import { describe, expect, it } from 'vitest';
import { formatProviders, formatStyles } from '../../dist/contract/format-choice.js';
import { cutMessage } from '../../dist/contract/budget/cut-message.js';
import { tokensAtMost } from '../../dist/contract/budget/tokens.js';
import { splitThinking } from '../../dist/contract/content/split-thinking.js';
import type { Message } from '../../dist/contract/message.js';
import { nearestIds } from '../../dist/contract/input/nearest.js';
import { inLine, inLines, jsonInLine, startInLine } from '../../dist/contract/text/in-line.js';
import { renderCompact, renderXml } from '../../dist/contract/text/render-messages.js';
import { formatMessages } from '../../dist/format/index.js';
import { importMessages } from '../../dist/format/import/import-messages.js';
import { snippetOf } from '../../dist/message/history/search-snippet.js';
import { parseSearchQuery, scoreText, wordsOf } from '../../dist/message/history/search-text.js';
import { mentionsIn } from '../../dist/message/send/mentions.js';
import { renderTemplate } from '../../dist/notify/templates.js';
import { processorMs } from '../support/processor-time.js';

const pumps = [' ', '/', ':!', '@a ', '</history', '{title}', '\n[', '.a?', '`', '😀', 'data:;a', 'a b '];
const text = (pump: string, chars: number) => pump.repeat(Math.ceil(chars / pump.length));

const messageOf = (content: Message['content']): Message => ({
  id: 'ma1abc',
  seq: 1,
  sessionId: 'default',
  sender: 'ann',
  name: text(':!', 100),
  content,
  timestamp: '2026-01-01T00:00:00.000Z',
});

const blocksOf = (long: string): Message['content'] => [
  { type: 'text', text: long },
  { type: 'image', source: { type: 'url', url: `https://a.example/${long}` } },
  { type: 'image', source: { type: 'url', url: `data:${long}` } },
  { type: 'tool_use', id: long, name: long, input: { long } },
  { type: 'tool_result', toolUseId: long, output: long },
];

const terms = parseSearchQuery('a "b a" 7*');

/** Each takes one long text. */
const works: Readonly<Record<string, (long: string) => unknown>> = {
  ...Object.fromEntries(
    formatProviders.map((provider, index) => [
      `format for ${provider}`,
      (long: string) =>
        formatMessages([messageOf(blocksOf(long)), { ...messageOf(blocksOf(long)), name: 'Ben' }], {
          provider,
          mode: 'multiagent',
          style: formatStyles[index % formatStyles.length],
          speakers: ['ann', 'ben'],
          tokensMax: 1_000_000,
        }),
    ]),
  ),
  'import of agentscope': (long) => importMessages([{ role: 'assistant', content: `<think>${long}` }], 'agentscope'),
  'import of openai': (long) =>
    importMessages([{ role: 'user', content: [{ type: 'image_url', image_url: { url: `data:${long}` } }] }], 'openai'),
  'import of responses': (long) =>
    importMessages(
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: `data:${long}` }] }] },
      'openai',
    ),
  'import of anthropic': (long) =>
    importMessages({ system: long, messages: [{ role: 'user', content: long }] }, 'anthropic'),
  'full text': (long) => renderXml([messageOf(blocksOf(long))], []),
  'compact text': (long) => renderCompact([messageOf(blocksOf(long))]),
  'a line': (long) => [inLine(long), inLines(long), startInLine(long, 80), jsonInLine({ long })],
  'cutting to a budget': (long) => cutMessage(messageOf([{ type: 'text', text: long }]), 25_000),
  'token estimate': tokensAtMost,
  mentions: mentionsIn,
  thinking: (long) => splitThinking([{ type: 'text', text: `${long}<think>${long}` }]),
  template: (long) =>
    renderTemplate(long, {
      title: long.slice(0, 200),
      threadId: 't',
      by: 'a',
      agent: 'b',
      summary: long.slice(0, 4_000),
    }),
  'search words': (long) => scoreText(terms, wordsOf(long)),
  snippet: (long) => snippetOf(terms, long),
};

const floorMs = 60;

/** The least of a few: the first also compile, and collect the garbage of others. */
function msOf(work: () => unknown): number {
  const first = processorMs(work);
  return first < 4 * floorMs ? first : Math.min(first, processorMs(work), processorMs(work));
}

describe.each(Object.keys(works))('%s', (name) => {
  it('grows with the text and not with its square', () => {
    const work = works[name] ?? (() => undefined);
    const slow = pumps.filter((pump) => {
      const whole = msOf(() => work(text(pump, 250_000)));
      // Four times the text; a square would take sixteen times as long.
      return whole > 4 * floorMs && whole > 10 * msOf(() => work(text(pump, 62_500)));
    });
    expect(slow).toEqual([]);
  }, 120_000);
});

describe('many names', () => {
  it('of ten thousand agents are compared with a mistyped one in bounded steps', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `${'a'.repeat(58)}${String(index).padStart(6, '0')}`);
    expect(msOf(() => nearestIds(`${'a'.repeat(58)}x00017`, names))).toBeLessThan(500);
    expect(nearestIds(`${'a'.repeat(58)}x00017`, names)).toHaveLength(1);
  });
});
