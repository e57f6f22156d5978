// Until when a person wants to be left alone. Pure.
import type { QuietHours } from '../../contract/signal/channel.js';

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** How long to wait for the end of the quiet hours; 0 outside of them. */
export function quietForMs(hours: QuietHours | null, now: number): number {
  if (hours === null) return 0;
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  if (from === to) return 0;
  const minutes = localMinutes(now, hours.timeZone);
  const isQuiet = from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
  if (!isQuiet) return 0;
  // A change of the clocks in between makes it wrong by an hour: then the rest is waited for again.
  const wait = ((to - minutes + dayMinutes) % dayMinutes) * minuteMs;
  return wait - (now % minuteMs);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function localMinutes(now: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return minutesOf(format.format(now));
}
