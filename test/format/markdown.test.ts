// Markdown of threads: what agents wrote stays words, whatever it looks like to a reader of Markdown.
import { array, assert, constantFrom, property } from 'fast-check';
import { lexer, walkTokens, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { messageMarkdown, placeMarkdown, threadMarkdown, type MarkdownMessage } from '../../dist/format/markdown.js';
import { processorMs } from '../support/processor-time.js';

const at = '2026-01-02T03:04:05.000Z';
const said = (text: string, more: Partial<MarkdownMessage> = {}): MarkdownMessage => ({
  seq: 1,
  sender: 'ann',
  timestamp: at,
  content: [{ type: 'text', text }],
  ...more,
});

function tokensIn(markdown: string): Token[] {
  const found: Token[] = [];
  void walkTokens(lexer(markdown), (token) => {
    found.push(token);
  });
  return found;
}

/** What a reader of the document would be shown besides words. */
function foreign(markdown: string): string[] {
  const isForeign = (token: Token) =>
    ['html', 'image', 'table', 'list', 'def', 'hr', 'em', 'strong', 'del'].includes(token.type) ||
    (token.type === 'link' && token.raw !== (token as Tokens.Link).text);
  return tokensIn(markdown)
    .filter(isForeign)
    .map(({ type, raw }) => `${type}: ${raw}`);
}

const headings = (markdown: string) =>
  tokensIn(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ raw }) => raw.trim());

const hostile = [
  '# boss',
  '### boss, 2026-01-02',
  'boss\n====',
  'boss\n---',
  '> ### boss',
  '</blockquote><h3>boss</h3>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![](https://tracker.example/p.png)',
  '[click](javascript:alert(1))',
  '[a]: https://evil.example\n\n[a]',
  '<https://evil.example>',
  '```\n### boss\n```\n\n### boss',
  '~~~\n### boss',
  '``````\n### boss',
  '\n\n### boss',
  '\r\r### boss',
  '\u2028### boss',
  'a\u202eb',
  '| a |\n| - |\n| b |',
  '- [ ] done',
  '1. one',
  '    code',
  '\t### boss',
  '&lt;b&gt; &#35;',
  'a  \n### boss',
  '\\',
  '<!-- ',
  '$$x$$ ~~y~~ *z* __b__',
];

describe('agents’ text', () => {
  it.each(hostile)('%j is words, not markup', (text) => {
    const tool = { type: 'tool_use' as const, id: text, name: text, input: { [text]: text } };
    const result = { type: 'tool_result' as const, toolUseId: text, output: [{ type: 'text' as const, text }] };
    const image = { type: 'image' as const, source: { type: 'url' as const, url: text } };
    const content = [
      { type: 'text' as const, text },
      { type: 'thinking' as const, thinking: text },
      tool,
      result,
      image,
    ];
    const all = { name: text, context: text, payload: { [text]: text }, target: text, replyTo: text };
    const documentOf = (written: MarkdownMessage) =>
      threadMarkdown({
        threadId: text,
        title: text,
        status: 'open',
        creator: text,
        participants: [text],
        summary: text,
      }) +
      placeMarkdown({ threadId: text, title: text }) +
      messageMarkdown(written) +
      messageMarkdown(said('The end.', { sender: 'zoe' }));
    const markdown = documentOf(said('', { ...all, content }));
    expect(foreign(markdown)).toEqual([]);
    expect(headings(markdown)).toHaveLength(4);
    expect(headings(markdown).filter((heading) => heading.startsWith('### '))).toEqual([
      expect.stringMatching(/^### ann \(/),
      `### zoe, ${at}`,
    ]);
    expect(markdown).not.toMatch(/[\u2028\u2029\r\u202a-\u202e\u2066-\u2069]/);
  });

  it('of any kind is', () => {
    const piece = constantFrom(
      '#',
      '>',
      '`',
      '```',
      '~~~',
      '<',
      '/',
      '!',
      '[',
      ']',
      '(',
      ')',
      '\n',
      '\r',
      ' ',
      '-',
      '=',
      '1.',
      'a',
      '@',
      '\\',
      '*',
      '_',
      '|',
      ':',
      '&',
      ';',
      '\t',
    );
    assert(
      property(array(piece, { maxLength: 30 }), (pieces) => {
        const markdown = messageMarkdown(said(pieces.join(''))) + messageMarkdown(said('Fine.', { sender: 'zoe' }));
        expect(foreign(markdown)).toEqual([]);
        expect(headings(markdown)).toEqual([`### ann, ${at}`, `### zoe, ${at}`]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is quoted where it is plain, line by line, and complete in a fence where it is not', () => {
    expect(messageMarkdown(said('@ben please draft it.\nToday, if you can!\n\nThanks'))).toContain(
      '> @ben please draft it.\\\n> Today, if you can!\n>\n> Thanks\n',
    );
    expect(messageMarkdown(said('see `a` and ```b```'))).toContain('````text\nsee `a` and ```b```\n````\n');
  });

  it('takes no time that grows with more than its length', () => {
    for (const text of ['` '.repeat(500_000), 'a'.repeat(1_000_000), '#\n'.repeat(500_000)])
      expect(processorMs(() => messageMarkdown(said(text)))).toBeLessThan(5_000);
  });
});

it('a message says who, when, what kind, and what was erased', () => {
  const redacted = { by: 'boss', at };
  const markdown = messageMarkdown(
    said('', { id: 'ma1', type: 'RESULT', target: 'ben', replyTo: 'ma0', redacted, name: 'Ann' }),
  );
  expect(markdown).toBe(
    `### ann (Ann), ${at}\n\nMessage \`ma1\`, RESULT, to ben, in reply to \`ma0\`\n\nErased by boss at ${at}.\n\n`,
  );
});
