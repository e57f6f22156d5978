// The hub's notices to the members of threads, and an agent's preferences for them.
import { z } from 'zod';

/** Each kind of notice has a template of the same name. */
export const noticeKinds = ['created', 'added', 'joined', 'member_joined', 'removed', 'closed', 'reopened'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** All but `removed`: a removed agent must be notified. */
export const mutableKinds = ['created', 'added', 'joined', 'member_joined', 'closed', 'reopened'] as const;

export const placeholders = ['title', 'threadId', 'by', 'agent', 'summary'] as const;
export type Placeholder = (typeof placeholders)[number];

export const notifyPrefs = z.object({
  muteKinds: z.array(z.enum(mutableKinds)),
  muteThreads: z.array(z.string()),
  followThreads: z.array(z.string()),
  quiet: z.boolean(),
  digestCount: z.number(),
  digestMinutes: z.number(),
});

export type NotifyPrefs = z.infer<typeof notifyPrefs>;

export const defaultNotifyPrefs: NotifyPrefs = {
  muteKinds: [],
  muteThreads: [],
  followThreads: [],
  quiet: false,
  digestCount: 20,
  digestMinutes: 60,
};

export const templateView = z.object({
  name: z.enum(noticeKinds),
  text: z.string(),
  isDefault: z.boolean(),
  preview: z.string(),
});

export type TemplateView = z.infer<typeof templateView>;
