// Who may call what, written a second time: the contract says it too, and the matrix compares what the hub does with both.

export interface OperationRow {
  /** The capability a key needs. */
  needs: 'send' | 'read' | 'signal' | 'admin';
  /** An observer may call it. */
  isForObservers?: true;
}

const send: OperationRow = { needs: 'send' };
const read: OperationRow = { needs: 'read' };
const signal: OperationRow = { needs: 'signal' };
const admin: OperationRow = { needs: 'admin' };
const readAlsoByObservers: OperationRow = { needs: 'read', isForObservers: true };

export const operationRows: Record<string, OperationRow> = {
  register_agent: send,
  remove_agent: send,
  create_thread: send,
  create_critical_thread: send,
  join_thread: send,
  leave_thread: send,
  add_participant: send,
  remove_participant: send,
  close_thread: send,
  reopen_thread: send,
  send_message: send,
  test_wake: send,
  set_notify_prefs: send,

  wait_for_mentions: read,
  set_wake_route: read,
  await_wake: read,
  report_wake: read,
  remove_wake_route: read,
  list_wakes: read,
  wait_for_responses: read,
  wait_for_agents: read,
  get_messages: read,
  ack_messages: read,
  get_receipts: read,
  get_sent_messages: read,
  get_notify_prefs: read,
  get_notify_templates: read,

  list_devices: read,
  start_pairing: signal,
  get_pairing: signal,
  revoke_device: signal,
  rename_device: signal,
  verify_device: signal,

  list_agents: readAlsoByObservers,
  list_groups: readAlsoByObservers,
  list_threads: readAlsoByObservers,
  list_active_threads: readAlsoByObservers,
  get_thread: readAlsoByObservers,
  get_attachment: readAlsoByObservers,
  search_messages: readAlsoByObservers,
  get_activity: readAlsoByObservers,
  get_session_history: readAlsoByObservers,

  list_channels: signal,
  set_channel: signal,
  remove_channel: signal,
  test_channel: signal,
  get_person_prefs: signal,
  set_person_prefs: signal,
  ask_question: signal,
  get_response: signal,
  cancel_question: signal,
  list_questions: signal,
  send_alert: signal,
  list_alerts: signal,
  answer_question: signal,
  decline_question: signal,
  send_sealed: signal,
  get_signal_keys: signal,
  set_agent_key: signal,
  share_signal: signal,

  set_group: admin,
  remove_group: admin,
  set_notify_template: admin,
  get_dead_letters: admin,
  replay_dead_letter: admin,
  discard_dead_letter: admin,
  query_message_history: admin,
  create_key: admin,
  create_observer_link: admin,
  list_keys: admin,
  export_session: admin,
  import_session: admin,
  revoke_key: admin,
  rotate_key: admin,
  list_audit: admin,
  create_session: admin,
  list_sessions: admin,
  close_session: admin,
  redact_message: admin,
};

/** What a route answers to a key that works, by what the key may do. */
export interface RouteRow {
  method: 'GET' | 'POST';
  /** Without a key, or with one that does not work, it answers the same as with one. */
  isPublic?: true;
  status: Record<'reader' | 'sender' | 'observer' | 'admin', number>;
}

const everyone = (status: number) => ({ reader: status, sender: status, observer: status, admin: status });

export const routeRows: Record<string, RouteRow> = {
  '/': { method: 'GET', isPublic: true, status: everyone(200) },
  '/healthz': { method: 'GET', isPublic: true, status: everyone(200) },
  '/readyz': { method: 'GET', isPublic: true, status: everyone(200) },
  '/app/hub': { method: 'GET', isPublic: true, status: everyone(200) },
  // Only for the hub's own page.
  '/app/pair': { method: 'POST', isPublic: true, status: everyone(403) },
  '/app/pair/local': { method: 'POST', isPublic: true, status: everyone(403) },
  '/app/pair/look': { method: 'POST', isPublic: true, status: everyone(403) },
  '/app/sign-in/challenge': { method: 'POST', isPublic: true, status: everyone(403) },
  '/app/sign-in': { method: 'POST', isPublic: true, status: everyone(403) },
  '/app/sign-in/key': { method: 'POST', isPublic: true, status: everyone(403) },
  '/app/sign-in/link': { method: 'POST', isPublic: true, status: everyone(403) },
  '/app/sign-out': { method: 'POST', isPublic: true, status: everyone(403) },
  '/metrics': { method: 'GET', status: { reader: 403, sender: 403, observer: 403, admin: 200 } },
  '/v1/openapi.json': { method: 'GET', status: everyone(200) },
  '/v1/events': { method: 'GET', status: { reader: 200, sender: 403, observer: 200, admin: 200 } },
  '/mcp': { method: 'GET', status: everyone(405) },
  '/v1/no_such_operation': { method: 'POST', status: everyone(404) },
  '/v1/': { method: 'GET', status: everyone(404) },
  '/nothing': { method: 'GET', status: everyone(404) },
  '//elsewhere': { method: 'GET', status: everyone(404) },
  '/.well-known/oauth-protected-resource': { method: 'GET', isPublic: true, status: everyone(404) },
  '/.well-known/oauth-authorization-server/mcp': { method: 'GET', isPublic: true, status: everyone(404) },
  '/.well-known/openid-configuration': { method: 'GET', isPublic: true, status: everyone(404) },
  '/register': { method: 'POST', isPublic: true, status: everyone(404) },
};
