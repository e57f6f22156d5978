// Times for people: local, with the date when it is not today.
import { describe, expect, it } from 'vitest';
import { shortTime } from '../../dist/cli/show/short-time.js';

describe('a time for people', () => {
  const now = new Date(2026, 10, 17, 12, 0, 0);

  it.each([
    ['today', new Date(2026, 10, 17, 4, 5, 9), '04:05:09'],
    ['yesterday', new Date(2026, 10, 16, 14, 5, 9), 'Nov 16 14:05'],
    ['last year', new Date(2025, 2, 3, 14, 5, 9), '2025-03-03 14:05'],
  ])('of %s', (_, at, shown) => {
    expect(shortTime(at.toISOString(), now)).toBe(shown);
  });

  it('is a question mark for what is no time', () => {
    expect(shortTime('soon', now)).toBe('?');
  });
});
