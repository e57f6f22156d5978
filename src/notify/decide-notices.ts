// Which notices a thread change sends, and how preferences change. Pure: the store calls it in its transaction.
import type { NoticeKind, NotifyPrefs } from '../contract/notify.js';
import type { Route } from '../message/send/route.js';
import { systemPlan, systemRoute } from '../message/send/system-plan.js';
import type { SendPlan, Store, ThreadRecord } from '../ports/store.js';
import type { Notice } from './notice.js';
import { defaultTemplates, renderTemplate } from './templates.js';
import { receivesNotice } from './receives-notice.js';

export interface NotifySettings {
  /** Only agents that have set preferences. */
  prefs: ReadonlyMap<string, NotifyPrefs>;
  /** Only templates that were changed. */
  templates: { [Kind in NoticeKind]?: string };
}

export interface NoticeContext {
  sessionId: string;
  thread: ThreadRecord;
  at: number;
}

export interface NoticeDraft {
  plan: SendPlan;
  route: Route;
}

/** Agents that muted the notice get none. The closing of a thread is stored in it even without recipients. */
export function decideNotices(
  context: NoticeContext,
  notices: readonly Notice[],
  { prefs, templates }: NotifySettings,
): NoticeDraft[] {
  const { id: threadId, isCritical } = context.thread;
  return notices.flatMap((notice) => {
    const { kind } = notice;
    const to = notice.to.filter((id) => receivesNotice(prefs.get(id), { kind, threadId, isCritical }));
    const template = templates[kind] ?? defaultTemplates[kind];
    return to.length === 0 && kind !== 'closed' ? [] : [draftOf(context, notice, { to, template })];
  });
}

function draftOf(
  { sessionId, thread, at }: NoticeContext,
  notice: Notice,
  { to, template }: { to: string[]; template: string },
): NoticeDraft {
  const { kind, values, isInThread } = notice;
  const [first] = to;
  const isToOne = notice.to.length === 1;
  const plan = systemPlan({
    sessionId,
    at,
    text: renderTemplate(template, values),
    notice: { kind, by: values.by },
    ...(isToOne && first !== undefined ? { target: first } : {}),
  });
  return { plan, route: systemRoute(to, { threadId: isInThread ? thread.id : null, isToOne }) };
}

/** Changes only the fields that are given. */
export function changePrefs(
  before: NotifyPrefs,
  changes: Parameters<Store['setNotifyPrefs']>[0]['changes'],
): NotifyPrefs {
  return {
    muteKinds: changes.muteKinds ?? before.muteKinds,
    muteThreads: changes.muteThreads ?? before.muteThreads,
    followThreads: changes.followThreads ?? before.followThreads,
    quiet: changes.quiet ?? before.quiet,
    digestCount: changes.digestCount ?? before.digestCount,
    digestMinutes: changes.digestMinutes ?? before.digestMinutes,
  };
}
