// What callers ask for that is not there, or not theirs to do.
import { direct, posted, x, type Row } from './bad-input-row.js';

export const unknownThings: Row[] = [
  ['a tool that is not there', 'send_mesage', {}, 'OPERATION_UNKNOWN', /'send_mesage'[^]*send_message/],
  ['a tool named like what every object has', 'constructor', {}, 'OPERATION_UNKNOWN', /'constructor'/],
  ...['get_thread', 'join_thread', 'leave_thread', 'close_thread', 'reopen_thread'].map((operation): Row => {
    return [
      `${operation} of no thread`,
      operation,
      { threadId: 't-none' },
      'THREAD_UNKNOWN',
      /'t-none'[^]*list_threads/,
    ];
  }),
  ['a post to no thread', 'send_message', posted({ threadId: 't-none' }), 'THREAD_UNKNOWN', /'t-none'[^]*list_threads/],
  ['a thread id with a NUL and more', 'get_thread', { threadId: 'OPEN-NUL' }, 'INVALID_INPUT', /^threadId: /],
  [
    'adding no one',
    'add_participant',
    { threadId: 'OPEN', participantId: 'noone' },
    'AGENT_UNKNOWN',
    /'noone'[^]*list_agents/,
  ],
  [
    'a thread of strangers',
    'create_thread',
    { title: 'a', participants: ['noone'] },
    'PARTICIPANTS_UNKNOWN',
    /: noone/,
  ],
  ['removing no one', 'remove_agent', { agentId: 'noone' }, 'AGENT_UNKNOWN', /'noone'[^]*list_agents/],
  ...['get_notify_prefs', 'set_notify_prefs'].map((operation): Row => {
    return [`${operation} of no one`, operation, { agent: 'noone' }, 'AGENT_UNKNOWN', /'noone'[^]*list_agents/];
  }),
  ['the inbox of no one', 'get_messages', { sessionId: 'noone' }, 'AGENT_UNKNOWN', /'noone'/],
  ['the members of no group', 'list_agents', { group: 'nogroup' }, 'GROUP_UNKNOWN', /'nogroup'[^]*list_groups/],
  ['removing no group', 'remove_group', { name: 'nogroup' }, 'GROUP_UNKNOWN', /'nogroup'[^]*list_groups/],
  ['a reply to no message', 'send_message', direct({ reply_to: 'mb99zzz' }), 'MESSAGE_UNKNOWN', /'mb99zzz'/],
  [
    'closing no session',
    'close_session',
    { sessionId: 'no-session' },
    'SESSION_UNKNOWN',
    /'no-session'[^]*list_sessions/,
  ],
  ['redacting no message', 'redact_message', { messageId: 'mb99zzz' }, 'MESSAGE_UNKNOWN', /'mb99zzz'/],
  ['receipts of no message', 'get_receipts', { messageId: 'mb99zzz' }, 'MESSAGE_UNKNOWN', /'mb99zzz'/],
  ['acknowledging no message', 'ack_messages', { ids: ['mb99zzz'] }, 'MESSAGE_UNKNOWN', /'mb99zzz'/],
  ...['replay_dead_letter', 'discard_dead_letter'].flatMap((operation) =>
    ['d999', 'd0', 'x1', 'd1e3'].map((id): Row => {
      return [
        `${operation} of ${id}`,
        operation,
        { id },
        'DEAD_LETTER_UNKNOWN',
        new RegExp(`'${id}'[^]*get_dead_letters`),
      ];
    }),
  ),
];

export const notAllowed: Row[] = [
  [
    'a post to a closed thread',
    'send_message',
    posted({ threadId: 'CLOSED' }),
    'THREAD_CLOSED',
    /closed[^]*reopen_thread/,
  ],
  ['joining a closed thread', 'join_thread', { threadId: 'CLOSED' }, 'THREAD_CLOSED', /closed/, 'cyn'],
  ['a post by one outside', 'send_message', posted({}), 'FORBIDDEN', /'cyn'[^]*join_thread/, 'cyn'],
  [
    'adding by one outside',
    'add_participant',
    { threadId: 'OPEN', participantId: 'cyn' },
    'FORBIDDEN',
    /'cyn' may not add participants to thread[^]*join_thread/,
    'cyn',
  ],
  ['a target outside the thread', 'send_message', posted({ target: 'cyn' }), 'FORBIDDEN', /'cyn'[^]*add_participant/],
  ['the role SYSTEM', 'send_message', posted({ role: 'SYSTEM' }), 'ROLE_FORBIDDEN', /SYSTEM[^]*ASSISTANT/],
  ['the role system', 'send_message', posted({ role: 'system' }), 'ROLE_FORBIDDEN', /SYSTEM/],
  ...['all', 'council', 'builders', 'intelligence'].flatMap((group): Row[] => [
    [
      `an agent called ${group}`,
      'register_agent',
      { agentId: group },
      'ID_TAKEN',
      new RegExp(`'${group}'.*group`),
      null,
    ],
    [`a connection called ${group}`, 'list_agents', {}, 'ID_TAKEN', new RegExp(`'${group}'.*group`), group],
  ]),
  ['an agent called system', 'register_agent', { agentId: 'system' }, 'ID_RESERVED', /'system'/, null],
  [
    'a name that was not filled in',
    'register_agent',
    { agentId: 'YOUR-NAME' },
    'ID_RESERVED',
    /a name of its own/,
    null,
  ],
  ['a connection of that name', 'list_agents', {}, 'ID_RESERVED', /'YOUR-NAME'/, 'YOUR-NAME'],
  ['a connection called system', 'list_agents', {}, 'ID_RESERVED', /'system'/, 'system'],
  ['a sender called system', 'send_message', direct({ senderId: 'system' }), 'ID_RESERVED', /'system'/, null],
  [
    'system in a new thread',
    'create_thread',
    { title: 'a', participants: ['ben', 'system'] },
    'ID_RESERVED',
    /'system'/,
  ],
  ['system in a thread', 'add_participant', { threadId: 'OPEN', participantId: 'system' }, 'ID_RESERVED', /'system'/],
  ['everyone as a group of one’s own', 'set_group', { name: 'all', members: [] }, 'ID_RESERVED', /'all' is everyone/],
  ['everyone removed', 'remove_group', { name: 'all' }, 'ID_RESERVED', /'all' is everyone/],
  ['the hub as a group', 'set_group', { name: 'system', members: [] }, 'ID_RESERVED', /'system'/],
  ['the hub in a group', 'set_group', { name: 'team', members: ['ben', 'system'] }, 'ID_RESERVED', /'system'/],
  ['a group called like an agent', 'set_group', { name: 'ben', members: ['ann'] }, 'ID_TAKEN', /'ben' is an agent/],
  ...['all', 'council', 'team'].map((id): Row => {
    const input = { name: 'team', members: ['ben', id] };
    return [
      `${id} in a group`,
      'set_group',
      input,
      'INVALID_INPUT',
      new RegExp(`^members: '${id}' is a group[^]*list_groups`),
    ];
  }),
  ['someone else’s name', 'send_message', direct({ senderId: 'ben' }), 'IDENTITY_MISMATCH', /'ann'.*senderId.*'ben'/],
  ['the same in snake_case', 'list_agents', { agent_id: 'ben' }, 'IDENTITY_MISMATCH', /'ann'.*agent_id.*'ben'/],
  [
    'two names',
    'send_message',
    direct({ senderId: 'ann', source: 'ben' }),
    'IDENTITY_MISMATCH',
    /senderId.*'ann'.*source.*'ben'/,
    null,
  ],
  ['no name', 'send_message', direct({}), 'IDENTITY_REQUIRED', /send_message[^]*coterie-agent[^]*senderId/, null],
  ['no name for an inbox', 'get_messages', {}, 'IDENTITY_REQUIRED', /agent/, null],
  [
    'an unregistered name',
    'send_message',
    direct({ sender_id: 'noone' }),
    'AGENT_UNKNOWN',
    /'noone'[^]*register_agent/,
    null,
  ],
  ['a name that is no text', 'send_message', direct({ senderId: 5 }), 'INVALID_INPUT', /^senderId: must/, null],
  [
    'a connection with no id for a name',
    'list_agents',
    {},
    'INVALID_INPUT',
    /'a b' is not an id[^]*letter or digit/,
    'a b',
  ],
  [
    'an id with a blank',
    'register_agent',
    { agent_id: 'a b' },
    'INVALID_INPUT',
    /^agent_id: must be a letter or digit/,
  ],
  ['an id too long', 'register_agent', { agentId: x(65) }, 'INVALID_INPUT', /^agentId: must be/],
];
