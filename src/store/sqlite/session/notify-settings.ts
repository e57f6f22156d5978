// Filters of agents and templates of sessions; few and asked for with every send, so the writer remembers them.
import { defaultNotifyPrefs, type NoticeKind, type NotifyPrefs } from '../../../contract/notify.js';
import { changePrefs, type NotifySettings } from '../../../notify/decide-notices.js';
import type { Store } from '../../../ports/store.js';
import { requireAgent } from './agents-known.js';
import { ensureSession, findSession } from './sessions.js';
import type { Tx } from '../writer/transaction.js';

const none: NotifySettings = { prefs: new Map(), templates: {} };

export function notifySettings(tx: Tx, sessionId: string): NotifySettings {
  const session = findSession(tx, sessionId);
  if (session === undefined) return none;
  session.notify ??= read(tx, sessionId);
  return session.notify;
}

function read(tx: Tx, sessionId: string): NotifySettings {
  // uses the keys of both tables
  const prefs = tx.all<{ agent_id: string; prefs: string }>(
    'select agent_id, prefs from notify_prefs where session_id = ? order by agent_id',
    sessionId,
  );
  const templates = tx.all<{ name: NoticeKind; text: string }>(
    'select name, text from notify_template where session_id = ? order by name',
    sessionId,
  );
  return {
    prefs: new Map(prefs.map((row) => [row.agent_id, JSON.parse(row.prefs) as NotifyPrefs])),
    templates: Object.fromEntries(templates.map(({ name, text }) => [name, text])),
  };
}

export function readNotifyPrefs(tx: Tx, query: Parameters<Store['readNotifyPrefs']>[0]): NotifyPrefs {
  requireAgent(tx, query.sessionId, query.agentId);
  return notifySettings(tx, query.sessionId).prefs.get(query.agentId) ?? defaultNotifyPrefs;
}

export function setNotifyPrefs(tx: Tx, plan: Parameters<Store['setNotifyPrefs']>[0]): NotifyPrefs {
  const { sessionId, agentId, changes } = plan;
  const prefs = changePrefs(readNotifyPrefs(tx, plan), changes);
  tx.run(
    `insert into notify_prefs (session_id, agent_id, prefs) values (?, ?, ?)
     on conflict (session_id, agent_id) do update set prefs = excluded.prefs`,
    ...[sessionId, agentId, JSON.stringify(prefs)],
  );
  forget(tx, sessionId);
  return prefs;
}

export function setNotifyTemplate(tx: Tx, plan: Parameters<Store['setNotifyTemplate']>[0]): void {
  const { sessionId, name, text } = plan;
  ensureSession(tx, sessionId, plan.at);
  tx.run('delete from notify_template where session_id = ? and name = ?', sessionId, name);
  if (text !== null) {
    tx.run('insert into notify_template (session_id, name, text) values (?, ?, ?)', sessionId, name, text);
  }
  forget(tx, sessionId);
}

export function readNotifyTemplates(tx: Tx, { sessionId }: { sessionId: string }): NotifySettings['templates'] {
  return notifySettings(tx, sessionId).templates;
}

/** An agent that is removed takes its filters with it. */
export function forgetNotifyPrefs(tx: Tx, sessionId: string, agentId: string): void {
  tx.run('delete from notify_prefs where session_id = ? and agent_id = ?', sessionId, agentId);
  forget(tx, sessionId);
}

function forget(tx: Tx, sessionId: string): void {
  const session = tx.memory.session(sessionId);
  if (session !== undefined) session.notify = undefined;
}
