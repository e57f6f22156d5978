// What is written for those who hear of a change, and how filters change. Pure: the store asks inside its transaction.
import type { NoticeKind, NotifyPrefs } from '../contract/notify.js';
import type { Route } from '../message/send/route.js';
import { systemPlan, systemRoute } from '../message/send/system-plan.js';
import type { SendPlan, Store, ThreadRecord } from '../ports/store.js';
import type { Notice } from './notice.js';
import { defaultTemplates, renderTemplate } from './templates.js';
import { receivesNotice } from './wakes.js';

export interface NotifySettings {
  /** Only agents that have set something. */
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

/** Those who muted it get none. How a thread was closed is kept in it even when no one is left to be told. */
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
    ...{ sessionId, at, text: renderTemplate(template, values), notice: { kind, by: values.by } },
    ...(isToOne && first !== undefined ? { target: first } : {}),
  });
  return { plan, route: systemRoute(to, { threadId: isInThread ? thread.id : null, isToOne }) };
}

/** Only what is given changes. */
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
