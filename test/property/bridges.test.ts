// Blocks to MCP content and A2A parts and back: any message comes back as it was, and what others write is understood.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromA2aParts,
  fromMcpContent,
  toA2aParts,
  toMcpContent,
  type ContentBlock,
} from '../../dist/contract/index.js';
import { content } from '../../dist/contract/content-block.js';
import { everyBlock, inSnakeCase } from '../support/every-block.js';

const words = fc.string({ minLength: 1, unit: 'grapheme' });
/** A field no block and no MCP or A2A form knows. */
const others = fc.option(fc.record({ note: fc.jsonValue() }), { nil: {} });
const data = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64'));

const sourceFor = (kind: string) =>
  fc.oneof(
    fc.tuple(words, others).map(([url, rest]) => ({ ...rest, type: 'url' as const, url })),
    fc.tuple(data, others).map(([given, rest]) => {
      return { ...rest, type: 'base64' as const, mediaType: `${kind}/x-any`, data: given };
    }),
  );
const text = fc.tuple(words, others).map(([said, rest]) => ({ ...rest, type: 'text' as const, text: said }));
const medium = fc
  .constantFrom('image' as const, 'audio' as const, 'video' as const)
  .chain((type) => fc.tuple(sourceFor(type), others).map(([source, rest]) => ({ ...rest, type, source })));
const thinking = fc.tuple(words, fc.option(words, { nil: undefined })).map(([thought, signature]) => {
  return { type: 'thinking' as const, thinking: thought, ...(signature === undefined ? {} : { signature }) };
});
const toolUse = fc
  .tuple(words, words, fc.dictionary(words, fc.jsonValue()))
  .map(([id, name, input]) => ({ type: 'tool_use' as const, id, name, input }));
const toolResult = fc
  .tuple(words, fc.oneof(words, fc.array(fc.oneof(text, medium), { maxLength: 4 })), fc.boolean())
  .map(([toolUseId, output, isError]) => ({ type: 'tool_result' as const, toolUseId, output, isError }));

const blocks = fc.array(fc.oneof(text, medium, thinking, toolUse, toolResult), { maxLength: 8 });

/** As it would be after a way through JSON. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('any message', () => {
  it.each([
    ['MCP content', toMcpContent, fromMcpContent],
    ['A2A parts', toA2aParts, fromA2aParts],
  ])('comes back from %s as it was', (_, there, back) => {
    fc.assert(
      fc.property(blocks, (given) => {
        const wire = plain(there(given)) as unknown[];
        expect(plain(back(wire))).toEqual(plain(given));
      }),
      { numRuns: 300 },
    );
  });

  it('is read as it is written, and once read does not change', () => {
    fc.assert(
      fc.property(blocks, (given) => {
        const read = content.parse(given.map(inSnakeCase));
        expect(plain(read)).toEqual(plain(given));
        expect(content.parse(read)).toEqual(read);
      }),
      { numRuns: 300 },
    );
  });

  it('of every kind takes the form the others have for it', () => {
    const given = everyBlock as ContentBlock[];
    expect(toMcpContent(given).map(({ type }) => type)).toEqual([
      'text',
      'resource_link',
      'resource_link',
      'image',
      'audio',
      'resource_link',
      'resource',
      'resource_link',
      'text',
      'text',
      'text',
      'text',
      'text',
    ]);
    expect(toA2aParts(given).map(({ kind }) => kind)).toEqual([
      'text',
      'file',
      'file',
      'file',
      'file',
      'file',
      'file',
      'file',
      'text',
      'data',
      'data',
      'data',
      'data',
    ]);
    for (const [there, back] of [
      [toMcpContent, fromMcpContent],
      [toA2aParts, fromA2aParts],
    ] as const)
      expect(back(there(given))).toEqual(given);
  });
});

describe('what others wrote', () => {
  it('in A2A 0.3 and 1.0 is understood', () => {
    const parts = [
      { kind: 'text', text: 'a', metadata: { lang: 'en' } },
      { text: 'b' },
      { kind: 'file', file: { name: 'p.png', mimeType: 'image/png', bytes: 'AQID' } },
      { url: 'https://example.com/s.mp3', mediaType: 'audio/mpeg', filename: 's.mp3' },
      { kind: 'file', file: { uri: 'https://example.com/x.pdf', mimeType: 'application/pdf' } },
      { kind: 'data', data: { n: 1 } },
    ];
    expect(fromA2aParts(parts)).toEqual([
      { type: 'text', text: 'a', metadata: { lang: 'en' } },
      { type: 'text', text: 'b' },
      { type: 'image', name: 'p.png', source: { type: 'base64', mediaType: 'image/png', data: 'AQID' } },
      {
        type: 'audio',
        name: 's.mp3',
        source: { type: 'url', url: 'https://example.com/s.mp3', mediaType: 'audio/mpeg' },
      },
      { type: 'text', text: 'https://example.com/x.pdf' },
      { type: 'text', text: '{"n":1}', data: { n: 1 } },
    ]);
  });

  it.each([
    ['a part that is none', [{ kind: 'text' }]],
    ['a file no block can carry', [{ kind: 'file', file: { mimeType: 'application/pdf', bytes: 'AQID' } }]],
    ['a file with bad bytes', [{ kind: 'file', file: { mimeType: 'image/png', bytes: '***' } }]],
    [
      'a block that was tampered with',
      [{ text: 'x', metadata: { 'coterie/block': { type: 'thinking', signature: 5 } } }],
    ],
  ])('%s is refused', (_, parts) => {
    expect(() => fromA2aParts(parts)).toThrow(/must|only/);
  });

  it('a reference is no content: its bytes are with the hub that has it', () => {
    const source = { type: 'attachment', hash: 'ab', mediaType: 'image/png', bytes: 3, index: 0 } as const;
    const [link] = toMcpContent([{ type: 'image', source }]);
    expect(link).toMatchObject({ type: 'resource_link', uri: 'attachment:ab', size: 3 });
    expect(() => fromMcpContent([link])).toThrow('must be one of url, base64');
  });
});
