// When a companion takes no wake: quiet hours, budget, back-off. And the command that it starts: no text becomes a part of it.
import { describe, expect, it } from 'vitest';
import { checkCommand, fillCommand, splitCommand } from '../../dist/cli/wake/command-line.js';
import { pauseOf } from '../../dist/cli/wake/pace.js';
import { quietUntil, readQuietHours } from '../../dist/cli/wake/quiet-hours.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function hours(text: string) {
  const read = readQuietHours(text);
  if (read === undefined) throw new Error(`${text} is not read`);
  return read;
}

describe('quiet hours', () => {
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);

  it.each([
    ['within, before midnight', at(18, 23), at(19, 7)],
    ['within, after midnight', at(19, 6, 59), at(19, 7)],
    ['from their first minute', at(18, 22), at(19, 7)],
    ['not after their end', at(19, 7), undefined],
    ['not during the day', at(19, 12), undefined],
  ])('over midnight: %s', (_, now, end) => {
    expect(quietUntil(hours('22:00-07:00'), now)).toEqual(end);
  });

  it('end on the same day if they do not go over midnight', () => {
    expect(quietUntil(hours('12:00-13:30'), at(18, 12, 15))).toEqual(at(18, 13, 30));
    expect(quietUntil(hours('12:00-13:30'), at(18, 14))).toBeUndefined();
  });

  it.each(['', '22-07', '24:00-07:00', '22:60-07:00', '22:00-22:00', '22:00', '22:00-07:00-08:00'])(
    'are not read from %j',
    (text) => {
      expect(readQuietHours(text)).toBeUndefined();
    },
  );
});

describe('the pace of commands', () => {
  const now = Date.UTC(2026, 10, 18, 12);
  const calm = { starts: [], failures: 0, failedAt: 0 };

  it('is held at the hourly budget until the oldest start is an hour ago', () => {
    const starts = [now - 50 * minuteMs, now - 30 * minuteMs, now - minuteMs];
    expect(pauseOf({ ...calm, starts }, { perHour: 4, now })).toBeUndefined();
    expect(pauseOf({ ...calm, starts }, { perHour: 3, now })?.until).toEqual(new Date(now + 10 * minuteMs));
    expect(pauseOf({ ...calm, starts }, { perHour: 2, now })?.until).toEqual(new Date(now + 30 * minuteMs));
    expect(pauseOf({ ...calm, starts: [now - hourMs] }, { perHour: 1, now })).toBeUndefined();
  });

  it('slows down with each failure in a row, to 15 minutes', () => {
    const pausesMs = [1, 2, 3, 8, 9, 500].map((failures) => {
      const until = pauseOf({ ...calm, failures, failedAt: now }, { perHour: 20, now })?.until;
      return (until?.getTime() ?? 0) - now;
    });
    expect(pausesMs).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000]);
    expect(pauseOf({ ...calm, failures: 1, failedAt: now - 5_000 }, { perHour: 20, now })).toBeUndefined();
  });

  it('does not wait for a time that a changed clock has left in the future', () => {
    const starts = [now + hourMs, now + 2 * hourMs];
    expect(pauseOf({ starts, failures: 3, failedAt: now + hourMs }, { perHour: 1, now })).toBeUndefined();
  });
});

describe('the command of wake run', () => {
  it('is what stands after --, with placeholders as whole arguments', () => {
    const { flags, command } = splitCommand([
      '--agent',
      'b',
      '--',
      'claude',
      '-p',
      '--resume',
      '{session}',
      '{prompt}',
    ]);
    expect(flags).toEqual(['--agent', 'b']);
    checkCommand(command);
    const values = { prompt: '1 unread from $(id) `x`', session: 's-1', agent: 'b' };
    expect(fillCommand(command, values)).toEqual(['claude', '-p', '--resume', 's-1', '1 unread from $(id) `x`']);
    expect(fillCommand(command, { ...values, session: undefined })).toBeUndefined();
  });

  it('does not replace again what a value has brought in', () => {
    expect(fillCommand(['x', '{prompt}'], { prompt: '{agent}', session: undefined, agent: 'b' })).toEqual([
      'x',
      '{agent}',
    ]);
  });

  it.each([[[]], [['']], [['{prompt}']], [['sh', '-c', 'claude -p {prompt}']]])('is refused: %j', (command) => {
    expect(() => checkCommand(command)).toThrow(/command|placeholder/);
  });
});
