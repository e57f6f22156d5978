// What is written in pieces is, byte for byte, what JSON.stringify writes; and base64 is told from all else, in browsers
// by another way than in Node.
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { isBase64 } from '../../dist/contract/content/base64.js';
import { jsonInPieces } from '../../dist/http/json-in-pieces.js';

const inPieces = async (answer: unknown) => Buffer.concat(await jsonInPieces(answer)).toString();
const slice = 64 * 1024;

describe('an answer in pieces', () => {
  it('is the same JSON, with long texts of any kind anywhere in it', async () => {
    const piece = fc.constantFrom('QUJD', 'é', '😀', '"', '\\', '\n', '\ud83d', 'a');
    const long = fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 3 * slice }))
      .map(([pieces, length]) => pieces.join('').repeat(length).slice(0, length));
    const shape = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, long, fc.jsonValue(), fc.array(tie('value'), { maxLength: 3 })),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), shape.value), async (answer) => {
        expect(await inPieces(answer)).toBe(JSON.stringify(answer));
      }),
      { numRuns: 60 },
    );
  });

  it('keeps a character whole that lies across two slices', async () => {
    const text = `${'a'.repeat(slice - 1)}😀${'b'.repeat(slice)}`;
    expect(await inPieces({ text })).toBe(JSON.stringify({ text }));
  });

  it('writes a data URL and its base64 as they are', async () => {
    const url = `data:image/png;base64,${Buffer.alloc(200_001, 7).toString('base64')}`;
    expect(await inPieces({ url, again: url })).toBe(JSON.stringify({ url, again: url }));
  });

  it('gives others their turn in between', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await jsonInPieces({ data: 'QUJD'.repeat(2 * 1024 * 1024) });
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

describe.each(['Node', 'a browser'])('base64 in %s', (where) => {
  const known = globalThis.Buffer;
  afterEach(() => {
    globalThis.Buffer = known;
  });
  const judge = (text: string) => {
    if (where === 'a browser') Reflect.deleteProperty(globalThis, 'Buffer');
    const verdict = isBase64(text);
    globalThis.Buffer = known;
    return verdict;
  };

  it('is what encoding bytes gives, and nothing else', () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 9 }), fc.uint8Array({ minLength: 49_100, maxLength: 49_200 }));
    fc.assert(fc.property(bytes, (given) => judge(known.from(given).toString('base64'))));
    const digit = fc.constantFrom('A', 'Q', 'g', 'w', 'z', '+', '/', '-', '_', '=', ' ', 'é', '\n');
    fc.assert(
      fc.property(fc.array(digit, { maxLength: 12 }), (digits) => {
        const text = digits.join('');
        expect(judge(text)).toBe(known.from(text, 'base64').toString('base64') === text);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['padding where a slice ends', `${'A'.repeat(slice - 1)}=${'A'.repeat(4)}`],
    ['a stray character in a later slice', `${'A'.repeat(slice)}AA*A`],
    ['bits that stand for nothing', 'QR=='],
  ])('is not %s', (_, text) => expect(judge(text)).toBe(false));
});
