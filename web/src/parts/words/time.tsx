// Times on the page.
import { useComputed } from '@preact/signals';
import { minute, now } from '../../data/clock.js';
import { isDrawn, timeLeft, when } from './time-words.js';
import { Icon } from '../icon.js';

/** With `href`, a link to what it is the time of. */
export function Time({ at, href }: { at: string; href?: string }) {
  const words = when(Date.parse(at), minute.value);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {href === undefined ? words : <a href={href}>{words}</a>}
    </time>
  );
}

export interface Span {
  from: string;
  until: string | undefined;
}

/** With a clock; nothing for a question without an end. */
export function Left({ until }: { until: string | undefined }) {
  const words = useComputed(() => (until === undefined ? '' : timeLeft(Date.parse(until) - now.value)));
  if (until === undefined) return null;
  return (
    <span class="left">
      <Icon name="clock" />
      {words}
    </span>
  );
}

/** The line that grows shorter; with less than a day left only. */
export function LeftBar({ from, until }: Span) {
  if (until === undefined) return null;
  const left = Math.max(0, Date.parse(until) - now.value);
  if (!isDrawn(left)) return null;
  const whole = Math.max(1, Date.parse(until) - Date.parse(from));
  return <progress class="time" max={whole} value={left} aria-label={`Time left: ${timeLeft(left)}`} />;
}
