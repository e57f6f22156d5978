// Filters of agents and templates of sessions.
import { defaultNotifyPrefs, type NotifyPrefs } from '../../contract/notify.js';
import { changePrefs, type NotifySettings } from '../../notify/decide-notices.js';
import type { Store } from '../../ports/store.js';
import { meantThreads } from './meant-thread.js';
import { ensureSession, requireAgent } from './sessions.js';
import type { Inbox, Statements } from './statements.js';
import { saveNotifyPrefs, saveNotifyTemplate } from '../sql/notify-settings.js';
import type { Steps } from './steps.js';

export function* readNotifyPrefs(tx: Statements, { sessionId, agentId }: Inbox): Steps<NotifyPrefs> {
  yield* requireAgent(tx, sessionId, agentId);
  return yield* prefsOf(tx, { sessionId, agentId });
}

export function* prefsOf(tx: Statements, { sessionId, agentId }: Inbox): Steps<NotifyPrefs> {
  return (yield* tx.notifySettings(sessionId)).prefs.get(agentId) ?? defaultNotifyPrefs;
}

export function* setNotifyPrefs(tx: Statements, plan: Parameters<Store['setNotifyPrefs']>[0]): Steps<NotifyPrefs> {
  const { muteThreads, followThreads } = plan.changes;
  const prefs = changePrefs(yield* readNotifyPrefs(tx, plan), {
    ...plan.changes,
    muteThreads: muteThreads && (yield* meantThreads(tx, plan, muteThreads)),
    followThreads: followThreads && (yield* meantThreads(tx, plan, followThreads)),
  });
  yield* saveNotifyPrefs(tx, plan, prefs);
  return prefs;
}

export function* setNotifyTemplate(tx: Statements, plan: Parameters<Store['setNotifyTemplate']>[0]): Steps<void> {
  yield* ensureSession(tx, plan.sessionId, plan.at);
  yield* saveNotifyTemplate(tx, plan.sessionId, plan);
}

export function* readNotifyTemplates(
  tx: Statements,
  { sessionId }: { sessionId: string },
): Steps<NotifySettings['templates']> {
  return (yield* tx.notifySettings(sessionId)).templates;
}
