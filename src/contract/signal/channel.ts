// How a person is reached outside the app: channels, and when they may not be used.
import { z } from 'zod';

export const channelKinds = ['web-push', 'ntfy', 'webhook'] as const;
export type ChannelKind = (typeof channelKinds)[number];

export const channelView = z.object({
  id: z.string(),
  kind: z.enum(channelKinds),
  person: z.string(),
  /** What it leads to, without secrets. */
  label: z.string(),
  /** Of a Web Push subscription. */
  deviceId: z.string().optional(),
  createdAt: z.string(),
  lastOkAt: z.string().optional(),
  /** Why the last push failed; absent after one that worked. */
  fault: z.string().optional(),
  faultAt: z.string().optional(),
});
export type ChannelView = z.output<typeof channelView>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** From `from` until `to`, also over midnight. Only pushes of high priority are sent then; others wait until the end. */
export const quietHours = z.object({
  from: timeOfDay.describe('HH:MM'),
  to: timeOfDay.describe('HH:MM'),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Vienna' })
    .describe('IANA, such as Europe/Vienna'),
});
export type QuietHours = z.output<typeof quietHours>;

export const personPrefs = z.object({ quietHours: quietHours.nullable() });
export type PersonPrefs = z.output<typeof personPrefs>;

export const defaultPersonPrefs: PersonPrefs = { quietHours: null };

export const channelRef = z.string().min(1).max(64);
