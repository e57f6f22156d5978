// An example of each operation's input, with the field names that the schema shows. A test sends all of them.
import type { Operation } from '../../contract/operation.js';
import type { operations } from '../../contract/operations/index.js';

type OperationName = (typeof operations)[keyof typeof operations]['name'];

const threadId = 't463814920757';
const messageId = 'ma17k3';
const questionId = 'q-463814920757';

const examples: Record<OperationName, Record<string, unknown>> = {
  register_agent: { agentName: 'Ben', description: 'reviews pull requests', capabilities: ['review'] },
  remove_agent: { agentId: 'ben' },
  list_agents: { capability: 'review' },
  wait_for_agents: { agentIds: ['ann', 'ben'], timeoutMs: 30_000 },
  list_groups: {},
  set_group: { name: 'builders', members: ['ann', 'ben'] },
  remove_group: { name: 'builders' },
  create_thread: { title: 'Release 1.4', participants: ['ben'], initial_message: '@ben can you draft the notes?' },
  create_critical_thread: {
    title: 'Production is down',
    participants: ['ben', 'carl'],
    initial_message: 'Who can look at the database?',
    timeout_ms: 60_000,
  },
  list_threads: { status: 'open' },
  get_thread: { threadId, limit: 20 },
  join_thread: { threadId },
  leave_thread: { threadId },
  add_participant: { threadId, participantId: 'carl' },
  remove_participant: { threadId, participantId: 'carl' },
  close_thread: { threadId, summary: 'Notes drafted by ben, reviewed by cleo.' },
  reopen_thread: { threadId },
  send_message: { threadId, content: 'Done, @ben.', message_type: 'RESULT', reply_to: messageId },
  get_messages: { limit: 10 },
  wait_for_mentions: { timeoutMs: 60_000 },
  wait_for_responses: { threadId, timeout_ms: 60_000 },
  ack_messages: { ids: [messageId] },
  get_receipts: { messageId },
  get_sent_messages: { status: 'pending' },
  get_dead_letters: { limit: 20 },
  replay_dead_letter: { id: 'd17' },
  discard_dead_letter: { id: 'd17' },
  list_audit: { since: '2026-07-01', limit: 20 },
  query_message_history: { source: 'ann', since: '2026-11-15' },
  search_messages: { query: 'lease "not found"', from: 'ben' },
  get_attachment: { messageId, index: 0 },
  get_notify_prefs: {},
  set_notify_prefs: { muteKinds: ['joined'], quiet: false },
  get_notify_templates: {},
  create_session: { sessionId: 'release-1.4', application: 'release notes', ttl: 86_400 },
  list_sessions: { limit: 20 },
  close_session: { sessionId: 'release-1.4', reason: 'The release is out.' },
  redact_message: { messageId, reason: 'It had a password.' },
  ask_question: { question: 'Deploy version 1.4?', options: ['Yes', 'No'], priority: 'high' },
  get_response: { questionId, waitMs: 30_000 },
  cancel_question: { questionId, reason: 'It is decided.' },
  list_questions: { status: 'pending' },
  answer_question: { questionId, option: 1 },
  decline_question: { questionId, reason: 'Ask the release manager.' },
  send_alert: { message: 'Deploy complete.', alertType: 'success' },
  list_alerts: { limit: 20 },
  send_sealed: {
    kind: 'question',
    id: questionId,
    envelope: { v: 1, h: 'eyJ2IjoxfQ', r: [{ k: 'k1', e: 'BFh3', w: 'x2Qz' }], c: 'aGVsbG8', s: 'c2lnbmVk' },
    optionCount: 2,
  },
  get_signal_keys: { people: ['me'] },
  set_agent_key: { kid: 'q1w2e3r4t5y6u7i8o9p0aA', encryption: 'BFh3', signing: 'BKz9' },
  share_signal: { signalId: questionId, wraps: [{ k: 'k2', e: 'BFh3', w: 'x2Qz' }] },
  export_session: {},
  import_session: { lines: '{"coterie":"export","version":1}\n', sessionId: 'copy' },
  set_notify_template: { name: 'closed', text: '{by} closed {title}: {summary}' },
  create_key: { agentId: 'carl', ttl: 2_592_000 },
  list_keys: {},
  start_pairing: {},
  get_pairing: { pairingId: 'p-k7m2p9x4q6ab3d5f', waitMs: 30_000 },
  list_devices: {},
  revoke_device: { deviceId: 'd-k7m2p9x4q6ab' },
  rename_device: { deviceId: 'd-k7m2p9x4q6ab', name: 'Ann’s phone' },
  verify_device: { deviceId: 'd-k7m2p9x4q6ab' },
  revoke_key: { keyId: 'k7m2p9x4q6ab' },
  rotate_key: { keyId: 'k7m2p9x4q6ab', overlap: 3_600 },
};

export function exampleOf({ name }: Operation): Record<string, unknown> | undefined {
  return new Map(Object.entries(examples)).get(name);
}
