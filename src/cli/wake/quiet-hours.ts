// Hours of the day in which no wake is taken, in local time: 22:00-07:00.

export interface QuietHours {
  /** Minutes since midnight. */
  readonly from: number;
  readonly until: number;
}

const minutesPerDay = 24 * 60;

export const quietHoursForm = 'two times of the day, like 22:00-07:00';

export function readQuietHours(value: string): QuietHours | undefined {
  const [, fromHour, fromMinute, untilHour, untilMinute] =
    /^(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})$/.exec(value.trim()) ?? [];
  const from = minutesOf(fromHour, fromMinute);
  const until = minutesOf(untilHour, untilMinute);
  // The same time twice could mean never or always.
  return from === undefined || until === undefined || from === until ? undefined : { from, until };
}

function minutesOf(hour: string | undefined, minute: string | undefined): number | undefined {
  const [hours, minutes] = [Number(hour), Number(minute)];
  return hours <= 23 && minutes <= 59 ? hours * 60 + minutes : undefined;
}

/** When they end, if `now` is within them. A day with a change of the clocks has other hours, so the date is asked. */
export function quietUntil({ from, until }: QuietHours, now: Date): Date | undefined {
  const minute = now.getHours() * 60 + now.getMinutes();
  const sinceStart = (minute - from + minutesPerDay) % minutesPerDay;
  const length = (until - from + minutesPerDay) % minutesPerDay;
  if (sinceStart >= length) return undefined;
  const end = new Date(now);
  end.setHours(Math.floor(until / 60), until % 60, 0, 0);
  if (end <= now) end.setDate(end.getDate() + 1);
  return end;
}
