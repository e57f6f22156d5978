// set_notify_prefs, get_notify_prefs, set_notify_template, get_notify_templates.
import { auditEntry } from '../access/audit-entry.js';
import { auditRead } from '../access/audit-read.js';
import { agentUnknown, memberMeant } from '../access/decide-member.js';
import { personForbidden } from '../access/decide-person.js';
import { noticeKinds, type TemplateView } from '../contract/notify.js';
import type { getNotifyPrefs as getContract } from '../contract/operations/get-notify-prefs.js';
import type { setNotifyPrefs as prefsContract } from '../contract/operations/set-notify-prefs.js';
import type { setNotifyTemplate as templateContract } from '../contract/operations/set-notify-template.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { Caller, NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { AgentRecord, Store } from '../ports/store.js';
import { checkTemplate, viewTemplate } from './templates.js';

export interface NotifyPorts {
  clock: Clock;
  store: Pick<
    Store,
    'findAgent' | 'appendAudit' | 'setNotifyPrefs' | 'readNotifyPrefs' | 'setNotifyTemplate' | 'readNotifyTemplates'
  >;
}

const getName = 'get_notify_prefs';
const setName = 'set_notify_prefs';

/** Changes only the fields that are given. */
export async function setNotifyPrefs(
  { store, clock }: NotifyPorts,
  caller: NamedCaller,
  { agent, ...changes }: InputOf<typeof prefsContract>,
): Promise<OutputOf<typeof prefsContract>> {
  const { sessionId, grant, isPage } = caller;
  const agentId = memberMeant(caller, { operation: setName, field: 'agent', given: agent });
  const isOther = agentId !== caller.agentId;
  // Without keys every agent has the rights of an admin, and none may decide what a person hears of.
  if (isOther && (await requireMember(store, sessionId, agentId)).kind === 'human' && grant === null)
    throw personForbidden(agentId);
  const details = { changed: Object.keys(changes) };
  const audit = isOther || isPage === true ? auditEntry(caller, clock.now(), setName, agentId, details) : null;
  return { success: true, agentId, prefs: await store.setNotifyPrefs({ sessionId, agentId, changes, audit }) };
}

export async function getNotifyPrefs(
  ports: NotifyPorts,
  caller: NamedCaller,
  { agent }: InputOf<typeof getContract>,
): Promise<OutputOf<typeof getContract>> {
  const { store } = ports;
  const { sessionId } = caller;
  const agentId = memberMeant(caller, { operation: getName, field: 'agent', given: agent });
  if (agentId !== caller.agentId) {
    await requireMember(store, sessionId, agentId);
    await auditRead(ports, caller, { act: getName, target: agentId, details: {} });
  }
  return { agentId, prefs: await store.readNotifyPrefs({ sessionId, agentId }) };
}

async function requireMember(store: NotifyPorts['store'], sessionId: string, id: string): Promise<AgentRecord> {
  const member = await store.findAgent({ sessionId, id });
  if (member === null) throw agentUnknown(id);
  return member;
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
