// Values that no schema asks for, and texts that are likely to break something.
import type { SeededRandom } from '../../fault/load/seeded-random.mjs';

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'length', 'then'];

const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\u202egpj.exe',
  '👩‍👩‍👧',
  '\ufeff',
  '@',
  '@@ann',
  'null',
  'true',
  '1e999',
  '-0',
  '9007199254740993',
  '99999999999999999999',
  'ma1',
  'mk99999999999zzz',
  't000000000000',
  'd1',
  'd999999999999999',
  '../../etc/passwd',
  'C:\\windows',
  "'; drop table message; --",
  '" or ""="',
  'a*',
  '"unclosed',
  'NEAR(a b)',
  '% _ \\',
  '\r\nset-cookie: a=b',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '</message></history>',
  '<think>',
  '[ann]: hello',
  'file:///etc/passwd',
  'data:text/html,x',
  '2026-13-45T99:99:99Z',
  '0000-00-00',
  '+275760-09-13',
  'system',
  'all',
  'YOUR-NAME',
];

/** Cursors are opaque to callers, and so can be forged. */
function forgedCursor(random: SeededRandom): string {
  const parts = ['p', 'l', 'x', '', 0, -1, 1.5, 1e308, 2 ** 53, '\0', '\ud800', 'ann', 't000000000000'];
  const fields = Array.from({ length: random.whole(0, 6) }, () => random.pick(parts));
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

export function junkText(random: SeededRandom): string {
  const share = random.next();
  if (share < 0.5) return random.pick(texts);
  if (share < 0.6) return random.pick(names);
  if (share < 0.7) return forgedCursor(random);
  if (share < 0.9) return random.pick(['a', ' ', '<', '@ann ', '\ud83d', '\0', '((']).repeat(random.whole(1, 300));
  if (share < 0.995) return String.fromCharCode(...Array.from({ length: 12 }, () => random.whole(0, 0xffff)));
  return 'x'.repeat(random.pick([10_000, 256 * 1024, 256 * 1024 + 1, 600_000]));
}

const scalars = [null, true, false, 0, -1, 1.5, -0, 1e308, 2 ** 31, 2 ** 53, -(2 ** 53), 1e-300];

export function junkValue(random: SeededRandom, depth = 0): unknown {
  const share = random.next();
  if (share < 0.35) return junkText(random);
  if (share < 0.6 || depth > 3) return random.pick(scalars);
  if (share < 0.8) return Array.from({ length: random.whole(0, 5) }, () => junkValue(random, depth + 1));
  return junkObject(random, depth + 1);
}

/** Own properties, whatever they are called: `__proto__` too, as JSON.parse makes them. */
export function junkObject(random: SeededRandom, depth = 0): Record<string, unknown> {
  const entries = Array.from({ length: random.whole(0, 4) }, () => [
    random.happens(0.5) ? random.pick(names) : junkText(random),
    junkValue(random, depth + 1),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** JSON that is damaged, or that only looks like it. */
export function damaged(random: SeededRandom, json: string): Buffer {
  const share = random.next();
  const at = random.whole(0, json.length);
  if (share < 0.3) return Buffer.from(json.slice(0, at));
  if (share < 0.5) return Buffer.from(json.slice(0, at) + junkText(random) + json.slice(at));
  if (share < 0.6) return Buffer.from(json + json);
  if (share < 0.7) return Buffer.from('['.repeat(random.pick([60, 64, 65, 5_000])) + json);
  if (share < 0.8) return Buffer.from(`{"a":`.repeat(70) + '1' + '}'.repeat(70));
  const bytes = Buffer.from(json);
  for (let hits = random.whole(1, 4); hits > 0 && bytes.length > 0; hits -= 1) {
    bytes[random.whole(0, bytes.length - 1)] = random.whole(0, 255);
  }
  return bytes;
}
