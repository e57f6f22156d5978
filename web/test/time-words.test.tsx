// Times as the pages say them.
import { describe, expect, it } from 'vitest';
import { atTime, isDrawn, timeLeft, when } from '../src/parts/words/time-words.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('the time left', () => {
  it.each([
    [0, 'Time is up'],
    [-5, 'Time is up'],
    [59_999, '59 s left'],
    [36 * minute + 59_000, '36 min left'],
    [hour, '1 hour left'],
    [2 * day - 1, '47 hours left'],
    [6 * day + 23 * hour, '6 days left'],
  ])('%d ms: %s', (ms, words) => {
    expect(timeLeft(ms)).toBe(words);
  });

  it('is drawn with less than a day to go', () => {
    expect([isDrawn(day - 1), isDrawn(day)]).toEqual([true, false]);
  });
});

describe('a point in time', () => {
  const now = Date.parse('2026-11-18T12:00:00Z'); // a Wednesday
  it.each([
    ['2026-11-18T09:05:00Z', '09:05', 'at 09:05'],
    ['2026-11-18T00:05:00Z', '00:05', 'at 00:05'],
    ['2026-11-17T22:59:00Z', 'Tue', 'on Tuesday at 22:59'],
    ['2026-11-19T01:00:00Z', 'Thu', 'on Thursday at 01:00'],
    ['2026-11-20T08:00:00Z', 'Fri', 'on Friday at 08:00'],
    ['2026-03-03T08:00:00Z', '3 Mar', 'on 3 March at 08:00'],
  ])('%s', (at, short, inSentence) => {
    expect(when(Date.parse(at), now, 'UTC')).toBe(short);
    expect(atTime(Date.parse(at), now, 'UTC')).toBe(inSentence);
  });
});
