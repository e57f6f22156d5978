import { describe, expect, it } from 'vitest';
import { decideOutcome } from '../src/data/decide-outcome.js';
import { alertToKeep, questionToKeep } from '../src/data/kept.js';
import { Refused, Unreachable } from '../src/data/request.js';
import type { QuestionView } from '../src/data/types.js';
import { describePlatform } from '../src/device/platform.js';

const phone = { person: 'ann', device: 'Phone' };

describe('an answer that was sent again', () => {
  const refusal = (status: number, code: string, details = {}) =>
    decideOutcome(new Refused(status, { code, message: 'no', details }), phone);

  it('waits while the hub is away, busy, or asks for a sign-in', () => {
    expect(decideOutcome(new Unreachable('gone'), phone)).toEqual({ state: 'waiting' });
    expect(refusal(503, 'STORE_UNAVAILABLE')).toEqual({ state: 'waiting' });
    expect(refusal(429, 'RATE_LIMITED')).toEqual({ state: 'waiting' });
    expect(refusal(401, 'UNAUTHENTICATED')).toEqual({ state: 'waiting' });
  });

  it('counts as sent if this device had answered', () => {
    const details = { answeredBy: 'ann', answeredOn: 'Phone' };
    expect(refusal(409, 'ALREADY_ANSWERED', details)).toEqual({ state: 'sent' });
  });

  it('is late if another device or person was first, or the question is over', () => {
    const details = { answeredBy: 'ann', answeredOn: 'Laptop' };
    expect(refusal(409, 'ALREADY_ANSWERED', details)).toMatchObject({ state: 'late', by: 'ann', on: 'Laptop' });
    expect(refusal(409, 'QUESTION_CLOSED', { status: 'expired' })).toEqual({ state: 'late', status: 'expired' });
  });

  it('is refused for good otherwise', () => {
    expect(refusal(404, 'QUESTION_UNKNOWN')).toEqual({ state: 'refused', code: 'QUESTION_UNKNOWN', message: 'no' });
  });
});

describe('what is kept for a start without a connection', () => {
  const sealed = { v: 1 as const, h: 'h', r: [], c: 'c', s: 's' };
  const asked: QuestionView = {
    id: 'q-1',
    kind: 'question',
    from: 'ada',
    fromName: 'Ada',
    to: ['ann'],
    priority: 'normal',
    status: 'pending',
    askedAt: '2026-01-01T00:00:00Z',
    encryption: 'device',
    optionCount: 0,
    sealed,
  };
  const texts = { question: 'CANARY', options: ['CANARY'], context: 'CANARY', response: 'CANARY', reason: 'CANARY' };

  it('never contains an opened text of an encrypted question', () => {
    const opened = { ...asked, ...texts, opened: { content: { text: 'CANARY' } } };
    expect(questionToKeep(opened)).toEqual(asked);
    expect(questionToKeep({ ...opened, encryption: 'end_to_end' })).toEqual({ ...asked, encryption: 'end_to_end' });
  });

  it('leaves out what only the hub sealed, and keeps what was never encrypted', () => {
    const { sealed: _, ...plain } = asked;
    expect(questionToKeep({ ...plain, ...texts, encryption: 'hub' })).toBeUndefined();
    expect(questionToKeep({ ...plain, ...texts, encryption: 'none' })).toMatchObject({ question: 'CANARY' });
    const alert = {
      id: 'a-1',
      from: 'ada',
      fromName: 'Ada',
      to: ['ann'],
      priority: 'normal' as const,
      alertType: 'info' as const,
      sentAt: asked.askedAt,
      encryption: 'hub' as const,
    };
    expect(alertToKeep({ ...alert, message: 'CANARY' })).toBeUndefined();
  });
});

describe('a device', () => {
  it('of Apple’s phones and tablets must be installed before it is paired', () => {
    const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';
    const ipad = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15';
    const facts = { touchPoints: 5, isInstalled: false };
    expect(describePlatform({ userAgent: iphone, ...facts })).toEqual({ name: 'iPhone', mustInstallFirst: true });
    expect(describePlatform({ userAgent: ipad, ...facts })).toEqual({ name: 'iPad', mustInstallFirst: true });
    expect(describePlatform({ userAgent: iphone, ...facts, isInstalled: true }).mustInstallFirst).toBe(false);
    expect(describePlatform({ userAgent: ipad, touchPoints: 0, isInstalled: false })).toEqual({
      name: 'Safari on Mac',
      mustInstallFirst: false,
    });
  });
});
