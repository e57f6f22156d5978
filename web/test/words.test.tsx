// The app's words for what became of a question.
import { describe, expect, it } from 'vitest';
import type { Opened } from '../src/device/open.js';
import type { QuestionView } from '../src/data/types.js';
import { chainOf, outcomeLine, silenceShort } from '../src/parts/words/words.js';

type Asked = QuestionView & { opened: Opened };

const reader = { me: 'ann', deviceName: 'Pixel 8' };

function asked(fields: Partial<Asked>): Asked {
  return {
    id: 'q-1',
    kind: 'question',
    from: 'ada',
    fromName: 'Ada',
    to: ['ann'],
    priority: 'normal',
    status: 'pending',
    askedAt: '2026-01-01T00:00:00.000Z',
    encryption: 'none',
    optionCount: 0,
    opened: { content: { text: 'Q', options: [], context: null } },
    ...fields,
  };
}

function line(fields: Partial<Asked>, response?: string): string {
  const opened = response === undefined ? {} : { opened: { answer: { option: null, response } } };
  const { text, answer = '', after = '' } = outcomeLine(asked({ ...fields, ...opened }), reader);
  return `${text}${answer}${after}`;
}

describe('what became of a question', () => {
  it('names who answered, and on which device', () => {
    expect(line({ status: 'answered', answeredBy: 'ann' }, 'Yes')).toBe('You said Yes');
    expect(line({ status: 'answered', answeredBy: 'ann', answeredOn: 'Pixel 8' }, 'Yes')).toBe(
      'You said Yes, on this device',
    );
    expect(line({ status: 'answered', answeredBy: 'bo', answeredOn: 'iPhone' }, 'No')).toBe('bo said No, on iPhone');
    expect(line({ status: 'answered', answeredBy: 'ann', answeredOn: 'iPhone' })).toBe('You answered on iPhone');
  });

  it('never confuses silence, a refusal and a no', () => {
    expect(line({ status: 'expired' })).toBe('Expired. No one answered. That is not a no.');
    expect(line({ status: 'expired', isDefault: true }, 'Tonight')).toBe('Expired. The default was used: Tonight');
    expect(line({ status: 'declined', answeredBy: 'ann' }, 'later')).toBe('You declined: later');
    expect(line({ status: 'declined', answeredBy: 'ann' }, '')).toBe('You declined');
    expect(line({ status: 'cancelled' })).toBe('Ada took the question back');
  });

  it('says beforehand what silence means', () => {
    expect(silenceShort(asked({}))).toBe('It waits without an end.');
    const expiresAt = '2026-01-02T00:00:00.000Z';
    expect(silenceShort(asked({ expiresAt }))).toBe('Without an answer it expires. That is not a no.');
    const opened = { defaultAnswer: { option: null, response: 'Tonight' } };
    expect(silenceShort(asked({ expiresAt, opened }))).toContain('“Tonight” is used and marked as a default');
    expect(silenceShort(asked({ kind: 'permission', expiresAt }))).toContain('own terminal asks');
  });
});

describe('a chain of follow-ups', () => {
  const first = asked({ id: 'q-1' });
  const second = asked({ id: 'q-2', inReplyTo: 'q-1', askedAt: '2026-01-01T01:00:00.000Z' });
  const third = asked({ id: 'q-3', inReplyTo: 'q-2', askedAt: '2026-01-01T02:00:00.000Z' });
  const ids = (chain: readonly Asked[]) => chain.map(({ id }) => id);

  it('is followed back to its first question, also when one is missing or it leads in a circle', () => {
    expect(ids(chainOf(third, [third, second, first]))).toEqual(['q-1', 'q-2']);
    expect(ids(chainOf(third, [third, second]))).toEqual(['q-2']);
    expect(ids(chainOf(third, [third, { ...second, inReplyTo: 'q-3' }]))).toEqual(['q-2']);
  });

  it('is that of the thread when no question is named', () => {
    const inThread = [first, second].map((each) => ({
      ...asked({ id: each.id, askedAt: each.askedAt }),
      threadId: 't',
    }));
    const last = asked({ id: 'q-9', threadId: 't', askedAt: '2026-01-03T00:00:00.000Z' });
    expect(ids(chainOf(last, [last, ...inThread, third]))).toEqual(['q-1', 'q-2']);
  });
});
