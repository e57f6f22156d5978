// set_notify_prefs, get_notify_prefs, set_notify_template, get_notify_templates.
import { auditEntry } from '../access/audit-entry.js';
import { noticeKinds, type NotifyPrefs, type TemplateView } from '../contract/notify.js';
import type { setNotifyPrefs as prefsContract } from '../contract/operations/set-notify-prefs.js';
import type { setNotifyTemplate as templateContract } from '../contract/operations/set-notify-template.js';
import type { InputOf } from '../contract/operation.js';
import type { Caller, NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import { checkTemplate, viewTemplate } from './templates.js';

export interface NotifyPorts {
  clock: Clock;
  store: Pick<Store, 'setNotifyPrefs' | 'readNotifyPrefs' | 'setNotifyTemplate' | 'readNotifyTemplates'>;
}

/** Changes only the fields that are given. */
export async function setNotifyPrefs(
  { store }: NotifyPorts,
  { sessionId, agentId }: NamedCaller,
  changes: InputOf<typeof prefsContract>,
): Promise<{ success: boolean; prefs: NotifyPrefs }> {
  return { success: true, prefs: await store.setNotifyPrefs({ sessionId, agentId, changes }) };
}

export async function getNotifyPrefs(
  { store }: NotifyPorts,
  { sessionId, agentId }: NamedCaller,
): Promise<{ agentId: string; prefs: NotifyPrefs }> {
  return { agentId, prefs: await store.readNotifyPrefs({ sessionId, agentId }) };
}

export async function setNotifyTemplate(
  { store, clock }: NotifyPorts,
  caller: Caller,
  { name, text }: InputOf<typeof templateContract>,
): Promise<{ success: boolean; template: TemplateView }> {
  if (text !== undefined) checkTemplate(text);
  const at = clock.now();
  const audit = auditEntry(caller, at, 'set_notify_template', name, { isDefault: text === undefined });
  await store.setNotifyTemplate({ sessionId: caller.sessionId, name, text: text ?? null, at, audit });
  return { success: true, template: viewTemplate(name, text) };
}

export async function getNotifyTemplates(
  { store }: NotifyPorts,
  { sessionId }: Caller,
): Promise<{ templates: TemplateView[] }> {
  const chosen = await store.readNotifyTemplates({ sessionId });
  return { templates: noticeKinds.map((name) => viewTemplate(name, chosen[name])) };
}
