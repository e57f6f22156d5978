// What must hold for every input: ids, spelling, escaping, mentions.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../dist/contract/cursor.js';
import { messageIdOf, seqOfMessageId } from '../../dist/contract/ids.js';
import { respellInput } from '../../dist/contract/input/spelling.js';
import { operations } from '../../dist/contract/operations/index.js';
import { escapeXml } from '../../dist/contract/text/escape-xml.js';
import { mentionsIn } from '../../dist/message/send/mentions.js';

const seq = fc.integer({ min: 1, max: 99_999_999_999 });
const salt = fc.integer({ min: 0, max: 0x7fff_ffff });

describe('message ids', () => {
  it('lead back to their seq, and sort as it does', () => {
    fc.assert(
      fc.property(seq, seq, salt, (a, b, ink) => {
        const [first, second] = [messageIdOf(a, ink), messageIdOf(b, ink)];
        expect(seqOfMessageId(first, ink)).toBe(a);
        expect(first.length).toBeLessThanOrEqual(16);
        if (a < b) expect(first < second).toBe(true);
      }),
    );
  });

  it('of another session are unknown, all but one in tens of thousands', () => {
    let passed = 0;
    for (let n = 1; n <= 20_000; n++) if (seqOfMessageId(messageIdOf(n, 11), 12) !== undefined) passed += 1;
    expect(passed).toBeLessThan(20);
  });

  it('anything else is no id', () => {
    fc.assert(
      fc.property(fc.string(), salt, (text, ink) => {
        const found = seqOfMessageId(text, ink);
        expect(found === undefined || messageIdOf(found, ink) === text).toBe(true);
      }),
    );
  });
});

describe('a field of a call', () => {
  const fields = Object.keys(operations.sendMessage.input.shape);
  const read = (written: string, value: unknown) => respellInput(operations.sendMessage, { [written]: value }).fields;

  it('may be written in camelCase and snake_case alike', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.anything(), (field, value) => {
        const snake = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        expect(read(snake, value)).toEqual(read(field, value));
      }),
    );
  });

  it('keeps its value, but for text that stands for something else', () => {
    const value = fc.anything().filter((one) => typeof one !== 'string' && one !== null && one !== undefined);
    fc.assert(
      fc.property(fc.constantFrom(...fields), value, (field, given) => {
        expect(read(field, given)).toEqual({ [field]: given });
      }),
    );
  });

  it('is not given as null or undefined', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.constantFrom(null, undefined), (field, nothing) => {
        expect(read(field, nothing)).toStrictEqual({});
      }),
    );
  });
});

it('escaped text holds no character that could end or forge an element, and nothing is lost', () => {
  const entities: [string, string][] = [
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
    ['&apos;', "'"],
    ['&amp;', '&'],
  ];
  fc.assert(
    fc.property(fc.string(), (text) => {
      const escaped = escapeXml(text);
      expect(escaped).not.toMatch(/[<>"']/);
      expect(entities.reduce((back, [entity, character]) => back.replaceAll(entity, character), escaped)).toBe(text);
    }),
  );
});

it('an @id in running text is found, whatever stands around it', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,20}[A-Za-z0-9])?$/);
  fc.assert(
    fc.property(
      id,
      fc.constantFrom('', ' ', '\n', '('),
      fc.constantFrom('', ' ', '.', ',', ')', '!', ':'),
      (name, before, after) => {
        expect(mentionsIn(`${before}@${name}${after}`)).toEqual([name]);
        expect(mentionsIn(`x@${name}`)).toEqual([]);
        expect(mentionsIn(`\`@${name}\``)).toEqual([]);
      },
    ),
  );
});

it('cursors come back as they were; other text is no cursor', () => {
  const place = fc.record({
    kind: fc.constant('position' as const),
    after: fc.array(fc.oneof(fc.string(), fc.integer())),
  });
  const lease = fc.record({
    kind: fc.constant('lease' as const),
    token: fc.string(),
    count: fc.nat(),
    rank: fc.nat(),
    seq: fc.nat(),
  });
  fc.assert(
    fc.property(fc.oneof(place, lease), (cursor) => {
      expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => decodeCursor(text)).not.toThrow();
    }),
  );
});
