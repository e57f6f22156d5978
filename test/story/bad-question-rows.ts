// Questions and answers that are wrong.
import { forged, x, type Row } from './bad-input-row.js';

const ask = (fields: Record<string, unknown>) => ({ question: 'x', ...fields });
const unknown = 'q-999999999999';
const envelope = { v: 1, h: 'e30', r: [], c: 'e30', s: 'e30' };

export const wrongQuestionsToPeople: Row[] = [
  ['no question', 'ask_question', {}, 'INVALID_INPUT', /^question: is required/],
  ['an empty question', 'ask_question', ask({ question: ' ' }), 'INVALID_INPUT', /^question: must not be empty/],
  ['a question too long', 'ask_question', ask({ question: x(2_001) }), 'INVALID_INPUT', /^question: .*2000/],
  ['six options', 'ask_question', ask({ options: ['a', 'b', 'c', 'd', 'e', 'f'] }), 'INVALID_INPUT', /^options: .*5/],
  ['an empty option', 'ask_question', ask({ options: ['a', ''] }), 'INVALID_INPUT', /^options\[1\]: must not be empty/],
  ['an option too long', 'ask_question', ask({ options: [x(101)] }), 'INVALID_INPUT', /^options\[0\]: .*100/],
  ['a context too long', 'ask_question', ask({ context: x(4_097) }), 'INVALID_INPUT', /^context: .*4096/],
  ...[-1, 0.5, 2_592_001].map((ttl): Row => [
    `a ttl of ${ttl}`,
    'ask_question',
    ask({ ttl }),
    'INVALID_INPUT',
    /^ttl: /,
  ]),
  ['a priority', 'ask_question', ask({ priority: 'urgent' }), 'INVALID_INPUT', /^priority: must be one of/],
  ['a question to an agent', 'ask_question', ask({ to: 'ben' }), 'NOT_A_PERSON', /'ben' is an agent/],
  ['a question to a stranger', 'ask_question', ask({ to: 'noone' }), 'PERSON_UNKNOWN', /'noone'/],
  ['a question that follows none', 'ask_question', ask({ inReplyTo: unknown }), 'QUESTION_UNKNOWN', /^inReplyTo: /],
  ['an empty alert', 'send_alert', { message: '' }, 'INVALID_INPUT', /^message: must not be empty/],
  [
    'an alert of no type',
    'send_alert',
    { message: 'x', alertType: 'bad' },
    'INVALID_INPUT',
    /^alertType: must be one of/,
  ],
  ['an unknown question', 'get_response', { questionId: unknown }, 'QUESTION_UNKNOWN', RegExp(unknown)],
  ['a wait too long', 'get_response', { questionId: unknown, waitMs: 600_001 }, 'INVALID_INPUT', /^waitMs: .*600000/],
  ['an unknown question to cancel', 'cancel_question', { questionId: unknown }, 'QUESTION_UNKNOWN', RegExp(unknown)],
  ['an answer by an agent', 'answer_question', { questionId: unknown, response: 'x' }, 'FORBIDDEN', /not a person/],
  ['a refusal by an agent', 'decline_question', { questionId: unknown }, 'FORBIDDEN', /not a person/],
  ['a status', 'list_questions', { status: 'open' }, 'INVALID_INPUT', /^status: must be one of/],
  ['a forged cursor', 'list_questions', { cursor: forged('p', 'a', 'b') }, 'INVALID_INPUT', /^cursor: /],
  ['a forged cursor of alerts', 'list_alerts', { cursor: forged('p', 1) }, 'INVALID_INPUT', /^cursor: /],
  ['an envelope that is none', 'send_sealed', { id: unknown, envelope: { v: 2 } }, 'INVALID_INPUT', /^envelope\.v: /],
  ['a header that is none', 'send_sealed', { id: unknown, envelope }, 'ENVELOPE_INVALID', /header|envelope/i],
  ['a signal’s id', 'send_sealed', { id: 'x', envelope }, 'INVALID_INPUT', /^id: must be q- or a-/],
];
