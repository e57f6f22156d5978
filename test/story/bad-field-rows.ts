// Content, questions and fields that are wrong.
import { asked, direct, forged, posted, x, type Row } from './bad-input-row.js';

export const wrongQuestions: Row[] = [
  [
    ...(['more answers than responders', 'create_critical_thread', asked({ wait_for_responses: 2 })] as const),
    'INVALID_INPUT',
    /^wait_for_responses: 2 .*only 1/,
  ],
  [
    ...(['more answers than registered ones', 'create_critical_thread'] as const),
    asked({ participants: ['ben', 'noone'], wait_for_responses: 2 }),
    'INVALID_INPUT',
    /^wait_for_responses: 2 .*only 1/,
  ],
  [
    ...(['an answer from no one', 'create_critical_thread', asked({ participants: [] }), 'INVALID_INPUT'] as const),
    /only 0/,
  ],
  ...[-1, 1.5, 'two'].map((count): Row => {
    const input = asked({ wait_for_responses: count });
    return [`${count} answers`, 'create_critical_thread', input, 'INVALID_INPUT', /^wait_for_responses: must be/];
  }),
  ...[-1, 600_001, 0.5].map((time): Row => {
    return [
      `an answer in ${time} ms`,
      'create_critical_thread',
      asked({ timeout_ms: time }),
      'INVALID_INPUT',
      /^timeout_ms: /,
    ];
  }),
  ...['cyn', 'noone', 'ann'].map((id): Row => {
    const input = asked({ required: [id] });
    return [`an answer required of ${id}`, 'create_critical_thread', input, 'INVALID_INPUT', RegExp(`required.*${id}`)];
  }),
  [
    ...(['a question to strangers', 'create_critical_thread', asked({ participants: ['noone'] })] as const),
    'PARTICIPANTS_UNKNOWN',
    /: noone/,
  ],
  [
    ...(['a question to system', 'create_critical_thread', asked({ participants: ['ben', 'system'] })] as const),
    'ID_RESERVED',
    /'system'/,
  ],
  [
    ...(['no question', 'create_critical_thread', { title: 'a', participants: ['ben'] }, 'INVALID_INPUT'] as const),
    /^initial_message: is required/,
  ],
  [
    ...(['an empty question', 'create_critical_thread', asked({ initial_message: ' ' }), 'CONTENT_EMPTY'] as const),
    /nothing/,
  ],
  [
    ...(['a question to nobody', 'create_critical_thread', { title: 'a', message: 'x' }, 'INVALID_INPUT'] as const),
    /^participants: is required/,
  ],
  ['waiting in no thread', 'wait_for_responses', { threadId: 't-none' }, 'THREAD_UNKNOWN', /'t-none'/],
  [
    ...([
      'waiting in a thread that asks nothing',
      'wait_for_responses',
      { threadId: 'OPEN' },
      'INVALID_INPUT',
    ] as const),
    /^threadId: .*not a critical thread[^]*create_critical_thread/,
  ],
  [
    ...(['a long wait for answers', 'wait_for_responses', { threadId: 'OPEN', timeoutMs: 600_001 }] as const),
    'INVALID_INPUT',
    /^timeoutMs: .*600000/,
  ],
  [
    ...(['more answers than can come', 'wait_for_responses', { threadId: 'ASKED', wait_for_responses: 2 }] as const),
    'INVALID_INPUT',
    /^wait_for_responses: 2 .*only 1/,
  ],
  [
    ...(['an answer of one outside', 'wait_for_responses', { threadId: 'ASKED', required: ['cyn'] }] as const),
    'INVALID_INPUT',
    /^required: .*cyn/,
  ],
];

export const wrongContent: Row[] = [
  ['no content', 'send_message', { threadId: 'OPEN' }, 'INVALID_INPUT', /^content: is required/],
  ['empty content', 'send_message', posted({ content: '' }), 'CONTENT_EMPTY', /nothing/],
  ['blank content', 'send_message', posted({ content: ' \n ' }), 'CONTENT_EMPTY', /nothing/],
  ['no blocks', 'send_message', posted({ content: [] }), 'CONTENT_EMPTY', /nothing/],
  ['too much content', 'send_message', posted({ content: x(262_145) }), 'TOO_LARGE', /262144/],
  ['a thread opened with nothing', 'create_thread', { title: 'a', message: ' ' }, 'CONTENT_EMPTY', /nothing/],
  ['a thread opened with too much', 'create_thread', { title: 'a', content: x(262_145) }, 'TOO_LARGE', /262144/],
  ['content of a wrong type', 'send_message', posted({ content: 5 }), 'INVALID_INPUT', /^content: must be a string/],
  ['the same by its synonym', 'send_message', { threadId: 'OPEN', message: 5 }, 'INVALID_INPUT', /^message: must be/],
  [
    ...(['an unknown block', 'send_message', posted({ content: [{ type: 'txt' }] }), 'INVALID_INPUT'] as const),
    /^content\[0\]\.type: .*text.*image.*tool_result/,
  ],
  [
    'a block without its text',
    'send_message',
    posted({ content: [{ type: 'text' }] }),
    'INVALID_INPUT',
    /^content\[0\]\.text: /,
  ],
  [
    ...(['broken base64', 'send_message'] as const),
    posted({ content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '***' } }] }),
    'INVALID_INPUT',
    /^content\[0\]\.source\.data: .*base64/,
  ],
];

export const wrongFields: Row[] = [
  ['a number for text', 'send_message', posted({ threadId: 5 }), 'INVALID_INPUT', /^threadId: must be a string/],
  ['the same in snake_case', 'get_thread', { thread_id: 5 }, 'INVALID_INPUT', /^thread_id: must be a string/],
  ['an empty thread id', 'get_thread', { threadId: '' }, 'INVALID_INPUT', /^threadId: /],
  [
    'text for a list',
    'create_thread',
    { title: 'a', participantIds: 'ben' },
    'INVALID_INPUT',
    /^participantIds: must be a list/,
  ],
  ['no title', 'create_thread', {}, 'INVALID_INPUT', /^title: is required/],
  ['a blank title', 'create_thread', { title: ' ' }, 'INVALID_INPUT', /^title: must not be empty/],
  ['a long title', 'create_thread', { title: x(201) }, 'INVALID_INPUT', /^title: .*200/],
  ['a long title by its synonym', 'create_thread', { threadName: x(201) }, 'INVALID_INPUT', /^threadName: .*200/],
  ['a title with a NUL', 'create_thread', { title: 'a\0b' }, 'INVALID_INPUT', /^title: /],
  ['a name with a NUL', 'register_agent', { agentId: 'ben', name: 'a\0b' }, 'INVALID_INPUT', /^name: /],
  ['an unknown field', 'send_message', posted({ mention: ['ben'] }), 'UNKNOWN_FIELD', /'mention'[^]*mean 'mentions'/],
  [
    'another in snake_case',
    'send_message',
    posted({ reply_too: 'x' }),
    'UNKNOWN_FIELD',
    /'reply_too'[^]*mean 'reply_to'/,
  ],
  ['a field unlike any', 'send_message', posted({ qqqqqqqqqq: 1 }), 'UNKNOWN_FIELD', /'qqqqqqqqqq'[^]*threadId/],
  [
    'a field in two cases',
    'send_message',
    posted({ thread_id: 'OPEN' }),
    'INVALID_INPUT',
    /'threadId' and 'thread_id'.*twice/,
  ],
  [
    'a field and its synonym',
    'send_message',
    posted({ message: 'y' }),
    'INVALID_INPUT',
    /'content' and 'message'.*twice/,
  ],
  ['a priority', 'send_message', posted({ priority: 'hihg' }), 'INVALID_INPUT', /^priority: .*low, normal, high/],
  ['an action', 'send_message', posted({ action: 'stop' }), 'INVALID_INPUT', /^action: .*interrupt, queue/],
  ['a type', 'send_message', posted({ message_type: 'PNG' }), 'INVALID_INPUT', /^message_type: .*PING, PONG/],
  [
    'a type, in camelCase',
    'send_message',
    posted({ messageType: 'PNG' }),
    'INVALID_INPUT',
    /^messageType: .*PING, PONG/,
  ],
  ['a role', 'send_message', posted({ role: 'boss' }), 'INVALID_INPUT', /^role: .*USER, ASSISTANT/],
  ['a status', 'list_threads', { status: 'ajar' }, 'INVALID_INPUT', /^status: .*open, closed/],
  ['a long wait', 'wait_for_mentions', { timeoutMs: 600_001 }, 'INVALID_INPUT', /^timeoutMs: .*600000/],
  ['a wait before now', 'wait_for_mentions', { timeout_ms: -1 }, 'INVALID_INPUT', /^timeout_ms: .*0/],
  ['a long barrier', 'wait_for_agents', { count: 1, timeoutMs: 600_001 }, 'INVALID_INPUT', /^timeoutMs: .*600000/],
  ['a barrier for no one', 'wait_for_agents', {}, 'INVALID_INPUT', /count or agentIds/],
  ['no messages at all', 'get_messages', { limit: 0 }, 'INVALID_INPUT', /^limit: .*1/],
  ['too many messages', 'wait_for_mentions', { limit: 501 }, 'INVALID_INPUT', /^limit: .*500/],
  [
    'a part of a message',
    'get_thread',
    { threadId: 'OPEN', limit: 1.5 },
    'INVALID_INPUT',
    /^limit: must be a whole number/,
  ],
  ['no time to live', 'send_message', direct({ ttl: 0 }), 'INVALID_INPUT', /^ttl: .*1 to 2592000/],
  ['a group without a name', 'set_group', { members: [] }, 'INVALID_INPUT', /^name: is required/],
  ['a group without members', 'set_group', { name: 'team' }, 'INVALID_INPUT', /^members: is required/],
  ['a group with a blank', 'set_group', { name: 'a b', members: [] }, 'INVALID_INPUT', /^name: must be a letter/],
  ['text for members', 'set_group', { name: 'team', members: 'ben' }, 'INVALID_INPUT', /^members: must be a list/],
  [
    'a member that is no id',
    'set_group',
    { name: 'team', members: ['a b'] },
    'INVALID_INPUT',
    /^members\[0\]: must be/,
  ],
  ['a field of list_groups', 'list_groups', { name: 'all' }, 'UNKNOWN_FIELD', /'name'/],
  ['no dead letters at all', 'get_dead_letters', { limit: 0 }, 'INVALID_INPUT', /^limit: .*1/],
  ['too many dead letters', 'get_dead_letters', { limit: 51 }, 'INVALID_INPUT', /^limit: .*50/],
  ['no dead letter', 'replay_dead_letter', {}, 'INVALID_INPUT', /^id: is required/],
  [
    'a forged place in the dead letters',
    'get_dead_letters',
    { cursor: forged('p', 1.5) },
    'INVALID_INPUT',
    /^cursor: /,
  ],
  ['too long to live', 'send_message', direct({ ttl: 2_592_001 }), 'INVALID_INPUT', /^ttl: .*1 to 2592000/],
  ['a payload of text', 'send_message', direct({ payload: 'x' }), 'INVALID_INPUT', /^payload: must be an object/],
  ['a payload of a list', 'send_message', direct({ payload: [1] }), 'INVALID_INPUT', /^payload: must be an object/],
  ['a large payload', 'send_message', direct({ payload: { x: x(65_536) } }), 'INVALID_INPUT', /^payload: .*65536/],
  ['a large context', 'send_message', direct({ context: x(4_097) }), 'INVALID_INPUT', /^context: .*4096/],
  ['large metadata', 'send_message', direct({ metadata: { x: x(16_384) } }), 'INVALID_INPUT', /^metadata: .*16384/],
  ['101 mentions', 'send_message', direct({ mentions: Array(101).fill('ben') }), 'INVALID_INPUT', /^mentions: .*100/],
  [
    'a mention that is no id',
    'send_message',
    direct({ mentions: ['a b'] }),
    'INVALID_INPUT',
    /^mentions\[0\]: must be/,
  ],
  [
    'an empty key',
    'send_message',
    direct({ idempotency_key: '' }),
    'INVALID_INPUT',
    /^idempotency_key: must not be empty/,
  ],
  ['a long key', 'send_message', direct({ idempotencyKey: x(129) }), 'INVALID_INPUT', /^idempotencyKey: .*128/],
  ['neither thread nor target', 'send_message', { message: 'x' }, 'INVALID_INPUT', /threadId[^]*target/],
  ...['list_threads', 'wait_for_mentions', 'get_messages', 'ack_messages', 'get_dead_letters'].map((operation): Row => {
    return [`a cursor that is none, in ${operation}`, operation, { cursor: 'zzz' }, 'INVALID_INPUT', /^cursor: /];
  }),
  ['a forged lease', 'get_messages', { cursor: forged('l', 'x', 1.5, 1, 1) }, 'INVALID_INPUT', /^cursor: /],
  ['a forged place', 'list_threads', { cursor: forged('p', 'a', 'b') }, 'INVALID_INPUT', /^cursor: /],
  ['a place to acknowledge', 'ack_messages', { cursor: forged('p', 1, 1) }, 'INVALID_INPUT', /^cursor: /],
  ['a place that is none', 'get_thread', { threadId: 'OPEN', after: 'zzz' }, 'INVALID_INPUT', /^after: /],
  ['an object for a place', 'get_thread', { threadId: 'OPEN', before: {} }, 'INVALID_INPUT', /^before: must be/],
];
