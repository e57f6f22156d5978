// Times for people: local, as short as possible without ambiguity.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number) => String(number).padStart(2, '0');

/** 14:02:11 today, Nov 14 14:02 this year, 2025-11-14 14:02 before. */
export function shortTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '?';
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === now.toDateString()) return `${clock}:${two(at.getSeconds())}`;
  if (at.getFullYear() === now.getFullYear()) return `${months[at.getMonth()]} ${two(at.getDate())} ${clock}`;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}

/** 12s, 5m, 3h, 2d */
export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1_000));
  return Number.isNaN(seconds) ? '?' : shortSpan(seconds);
}

export function shortSpan(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
