// Times in words. Functions of their arguments alone; `timeZone` is that of the browser unless a test names one.
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** "36 min left"; rounded down, so that it never promises more. */
export function timeLeft(msLeft: number): string {
  if (msLeft <= 0) return 'Time is up';
  if (msLeft < minuteMs) return `${Math.floor(msLeft / 1_000)} s left`;
  if (msLeft < hourMs) return `${Math.floor(msLeft / minuteMs)} min left`;
  if (msLeft < 2 * dayMs) {
    const hours = Math.floor(msLeft / hourMs);
    return hours === 1 ? '1 hour left' : `${hours} hours left`;
  }
  return `${Math.floor(msLeft / dayMs)} days left`;
}

/** Drawn only when less than a day was or is left. */
export function isDrawn(msLeft: number): boolean {
  return msLeft < dayMs;
}

/** The time of day says which day is meant. */
function isNear(at: number, now: number, zone: { timeZone?: string }): boolean {
  return Math.abs(now - at) < dayMs / 2 || dayOf(at, zone) === dayOf(now, zone);
}

/** Today and half a day around the time, this week the day, else the date. */
export function when(at: number, now: number, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  if (isNear(at, now, zone)) return clock(at, zone);
  const format: Intl.DateTimeFormatOptions =
    Math.abs(now - at) < 6 * dayMs ? { weekday: 'short' } : { day: 'numeric', month: 'short' };
  return formatter({ ...format, ...zone }).format(at);
}

/** Inside a sentence: "at 11:20", "on Tuesday at 11:20", "on 3 March at 11:20". */
export function atTime(at: number, now: number, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const time = `at ${clock(at, zone)}`;
  if (isNear(at, now, zone)) return time;
  const format: Intl.DateTimeFormatOptions =
    Math.abs(now - at) < 6 * dayMs ? { weekday: 'long' } : { day: 'numeric', month: 'long' };
  return `on ${formatter({ ...format, ...zone }).format(at)} ${time}`;
}

function clock(at: number, zone: { timeZone?: string }): string {
  return formatter({ hour: '2-digit', minute: '2-digit', ...zone }).format(at);
}

function dayOf(at: number, zone: { timeZone?: string }): string {
  return formatter({ year: 'numeric', month: '2-digit', day: '2-digit', ...zone }).format(at);
}

/** With seconds: "10:42:17". */
export function exactTime(at: number): string {
  return formatter({ hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at);
}

/** "4 s", "8 min", "2 h 14 min", "3 days"; rounded down. */
export function duration(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  const minutes = Math.floor((ms % hourMs) / minuteMs);
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h${minutes === 0 ? '' : ` ${minutes} min`}`;
  const days = Math.floor(ms / dayMs);
  return days === 1 ? '1 day' : `${days} days`;
}

/** "38 ms", "1.4 s". */
export function milliseconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Made once for each form: making one takes longer than hundreds of its answers. */
function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const made = formatters.get(key) ?? new Intl.DateTimeFormat('en-GB', options);
  formatters.set(key, made);
  return made;
}
