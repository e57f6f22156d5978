// No caller's text begins a line of a result, opens an element in it, or hides a part of it.
import { describe, expect, it } from 'vitest';
import { HubError } from '../../dist/contract/errors.js';
import type { Operation } from '../../dist/contract/operation.js';
import { operationList } from '../../dist/contract/operations/index.js';
import { answerText, nextSteps } from '../../dist/contract/text/answer-text.js';
import { inLine, inLines, jsonInLine, startInLine } from '../../dist/contract/text/in-line.js';
import { resultOfError } from '../../dist/mcp/tool-result.js';
import { chooser, hostileText, hostileValue } from './hostile-output.js';

const variants = 60;

/** A file to be stored byte for byte, in which every line is one JSON value. */
const documents = new Set(['export_session']);

/** Why a text would mislead its reader; undefined if it does not. */
function forgeryIn(text: string): string | undefined {
  if (/<\/?forged|<\/content><\/message>/.test(text)) return 'an element';
  // Contents have lines of their own: they are framed by their element, which they cannot close.
  const framed = text.replaceAll(/<(content|context|payload|metadata)\b[^>]*>[^<]*<\/\1>/g, '');
  const framedInline = framed.replaceAll(/(<message [^<>]*>)[^<]*<\/message>/g, '$1');
  if (/^\s*FORGED/m.test(framedInline.replaceAll(/[\r\v\f\u0085\u2028\u2029]/g, '\n'))) return 'a line';
  // oxlint-disable-next-line no-control-regex -- looks for what must not be there
  if (/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/.test(framedInline))
    return 'a character';
  return undefined;
}

/** The first forgery in the texts of an operation. */
function forgeryBy(operation: Operation): string | undefined {
  for (let seed = 0; seed < variants; seed += 1) {
    const choose = chooser(seed);
    // Safe: both are made from the operation's own schemas.
    const output = hostileValue(operation.output, choose) as Record<string, unknown>;
    const input = hostileValue(operation.input, choose) as Record<string, unknown>;
    const said = { output, input };
    const forgery = forgeryIn(answerText(operation, said, nextSteps(operation, said)));
    if (forgery !== undefined) return `${forgery} in ${answerText(operation, said, [])}`;
  }
  return undefined;
}

describe('the text of', () => {
  it.each(
    operationList.filter(({ name }) => !documents.has(name)).map((operation) => [operation.name, operation] as const),
  )('%s cannot be forged by any field of its output', (_, operation) => {
    expect(forgeryBy(operation)).toBeUndefined();
  });

  it('an error cannot be forged by what it quotes', () => {
    const error = new HubError('UNKNOWN_FIELD', `There is no field '${hostileText}'.`, { hint: hostileText });
    const [shown] = resultOfError(error, 'text').content;
    expect(forgeryIn(shown?.type === 'text' ? shown.text : '')).toBeUndefined();
  });

  it('an operation that prints a field as it is would be found', () => {
    const [listThreads] = operationList.filter(({ name }) => name === 'list_threads');
    if (listThreads === undefined) throw new Error('list_threads is gone.');
    const raw: Operation = { ...listThreads, text: ({ threads }) => `Threads: ${JSON.stringify(threads)}` };
    expect(forgeryBy(raw)).toMatch(/an element/);
    expect(forgeryIn('Name: x\nFORGED')).toBe('a line');
    expect(forgeryIn('Name: \u202ex')).toBe('a character');
  });
});

describe('a text in a line', () => {
  it.each(['builder-7', 'Ünï çødé', '漢字 かな', 'R&D', 'it\'s "ready"', '👩‍👩‍👧', 'می‌خواهم', 'a & b; c'])(
    '%s stays as it is',
    (text) => {
      expect(inLine(text)).toBe(text);
      expect(inLines(text)).toBe(text);
      expect(startInLine(text, 80)).toBe(text);
    },
  );

  it('is escaped in a way that can be undone', () => {
    expect(inLine('a<b>&lt;&')).toBe('a&lt;b&gt;&amp;lt;&');
  });

  it('marks the further lines of a text of several', () => {
    expect(inLines('first\r\nsecond\n<third>')).toBe('first\n| second\n| &lt;third&gt;');
  });

  it('is the same value in JSON', () => {
    const given = { [hostileText]: [hostileText] };
    expect(JSON.parse(jsonInLine(given))).toEqual(given);
    expect(forgeryIn(jsonInLine(given))).toBeUndefined();
  });

  it('shows the beginning of a long text', () => {
    expect(startInLine(`a  b\n${'c'.repeat(300)}`, 10)).toBe('a b cccccc…');
    expect(startInLine(` ${'a'.repeat(10)}  `, 10)).toBe('aaaaaaaaaa');
  });
});
