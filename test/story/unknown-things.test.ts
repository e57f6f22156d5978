// What is not there, or not allowed, is refused with a code, a hint and the caller's own words, and changes nothing.
import { describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { wrongQuestions } from './bad-field-rows.js';
import { notAllowed, unknownThings } from './not-there-rows.js';
import { hub, everything, expectRefusal, filled, refusedAlike, unharmed } from './refusing-hub.js';

describe('what is not there', () => refusedAlike(unknownThings));
describe('what is not allowed', () => refusedAlike(notAllowed));
describe('a question', () => refusedAlike(wrongQuestions));

describe('an id of another session', () => {
  it.each([
    ['get_thread', { threadId: 'FOREIGN' }, { threadId: 't-unknown0' }],
    ['join_thread', { threadId: 'FOREIGN' }, { threadId: 't-unknown0' }],
    ['close_thread', { threadId: 'FOREIGN' }, { threadId: 't-unknown0' }],
    ['wait_for_responses', { threadId: 'FOREIGN' }, { threadId: 't-unknown0' }],
    ['send_message', { threadId: 'FOREIGN', content: 'x' }, { threadId: 't-unknown0', content: 'x' }],
    [
      'send_message',
      { target: 'ben', message: 'x', reply_to: 'FOREIGN MESSAGE' },
      { target: 'ben', message: 'x', reply_to: 'mb99zzz' },
    ],
    ['get_receipts', { messageId: 'FOREIGN MESSAGE' }, { messageId: 'mb99zzz' }],
    ['get_attachment', { messageId: 'FOREIGN MESSAGE' }, { messageId: 'mb99zzz' }],
    ['ack_messages', { ids: ['FOREIGN MESSAGE'] }, { ids: ['mb99zzz'] }],
    ['get_thread', { threadId: 'OPEN', after: 'FOREIGN MESSAGE' }, { threadId: 'OPEN', after: 'mb99zzz' }],
  ])('given to %s is like one that never was: %o', async (operation, theirs, none) => {
    const before = await everything();
    const foreignAnswer = await post(hub.url, operation, filled(theirs), { agent: 'ann' });
    const noneAnswer = await post(hub.url, operation, filled(none), { agent: 'ann' });
    expect(foreignAnswer.status).toBeGreaterThanOrEqual(400);
    const anonymous = (text: unknown) => JSON.stringify(text).replaceAll(/t\d{12}|t-unknown0|m[a-z]\d+\w{3}/g, 'ID');
    expect(anonymous(foreignAnswer)).toBe(anonymous(noneAnswer));
    expect(await everything()).toEqual(before);
  });
});

it('an unknown target is refused with the nearest name, kept as a dead letter, and says so', async () => {
  const answer = await post(hub.url, 'send_message', { target: 'bem', message: 'x' }, { agent: 'ann' });
  expectRefusal(answer, 'TARGET_UNKNOWN', /'bem'.*dead letter[^]*ben/);
  const { messageId } = answer.body.error.details;
  const { deliveries } = await call(hub.url, 'get_receipts', { messageId }, { agent: 'ann' });
  expect(deliveries).toMatchObject([{ recipient: 'bem', state: 'dead_lettered', reason: 'TARGET_UNKNOWN' }]);
});

it('an empty group is refused, the message is kept as a dead letter, and the refusal says so', async () => {
  const answer = await post(hub.url, 'send_message', { target: 'council', message: 'x' }, { agent: 'ann' });
  expectRefusal(answer, 'GROUP_EMPTY', /'council'.*dead letter[^]*list_groups[^]*set_group[^]*replay_dead_letter/);
  const { messageId } = answer.body.error.details;
  const { deliveries } = await call(hub.url, 'get_receipts', { messageId }, { agent: 'ann' });
  expect(deliveries).toMatchObject([{ recipient: 'council', state: 'dead_lettered', reason: 'GROUP_EMPTY' }]);
});

it('one key for two messages is refused, and the first stays as it was', async () => {
  const send = (message: string) =>
    post(hub.url, 'send_message', { target: 'ben', message, idempotency_key: 'k' }, { agent: 'ann' });
  const { body } = await send('first');
  const before = await everything();
  expectRefusal(await send('second'), 'IDEMPOTENCY_CONFLICT', /'k'/);
  expect(await everything()).toEqual(before);
  expect((await send('first')).body).toMatchObject({ messageId: body.messageId, duplicate: true });
});

unharmed();
