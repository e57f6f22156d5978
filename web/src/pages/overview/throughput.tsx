// How much is sent, minute by minute. The plot's code is loaded when it is seen.
import { useEffect, useRef, useState } from 'preact/hooks';
import { lastDay, lastHour, type Activity } from '../../data/overview.js';
import { Bones } from '../../parts/bones.js';
import { Section } from '../../parts/section.js';
import { whileSeen } from '../../parts/seen.js';
import { milliseconds, when } from '../../parts/words/time-words.js';
import type { drawPlot } from './plot.js';

export function ThroughputSection() {
  const hour = lastHour.value;
  const day = lastDay.value;
  return (
    <Section id="h-thr" title="Throughput, last hour">
      {hour === undefined && <Bones label="Loading the plot" />}
      {hour === null && <p class="effect">Not visible to you.</p>}
      {hour !== undefined && hour !== null && (
        <div class="sec-in">
          <Plot activity={hour} />
          <p class="legend">
            <span>
              <svg viewBox="0 0 18 8" aria-hidden="true">
                <path class="g-line g-line-2" d="M0 4h18" />
              </svg>
              sends a minute
            </span>
            <span>
              <svg viewBox="0 0 18 8" aria-hidden="true">
                <path class="g-line" d="M0 4h18" />
              </svg>
              copies a minute
            </span>
            {hour.wakes !== undefined && hour.wakes.count > 0 && (
              <span>
                <svg viewBox="0 0 18 8" aria-hidden="true">
                  <circle class="g-dot" cx="5" cy="4" r="2.5" />
                  <circle class="g-dot" cx="13" cy="4" r="2.5" />
                </svg>
                wake latency, p99
              </span>
            )}
          </p>
          <dl class="figures">
            <Figure name="Sent, 1 h" activity={hour} counts={hour.sent} />
            <Figure name="Copies, 1 h" activity={hour} counts={hour.copies} />
            {day !== undefined && day !== null && (
              <>
                <Figure name="Sent, 24 h" activity={day} counts={day.sent} />
                <Figure name="Copies, 24 h" activity={day} counts={day.copies} />
              </>
            )}
            {hour.wakes !== undefined && (
              <>
                <Delay name="Wake p50, 1 h" ms={hour.wakes.p50} />
                <Delay name="Wake p99, 1 h" ms={hour.wakes.p99} />
              </>
            )}
          </dl>
        </div>
      )}
    </Section>
  );
}

interface FigureProps {
  name: string;
  activity: Activity;
  counts: readonly number[];
}

function Figure({ name, activity, counts }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {sumOf(counts).toLocaleString('en')} {activity.countedSince !== undefined && <small>or more</small>}
      </dd>
    </div>
  );
}

function Delay({ name, ms }: { name: string; ms: number | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{ms === null ? <small>nobody was woken</small> : milliseconds(ms)}</dd>
    </div>
  );
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function Plot({ activity }: { activity: Activity }) {
  const place = useRef<HTMLDivElement>(null);
  const [draw, setDraw] = useState<typeof drawPlot | undefined>(undefined);
  useEffect(
    () =>
      whileSeen(place.current, () => {
        // Without the code there are still the numbers.
        import('./plot.js').then(
          (loaded) => setDraw(() => loaded.drawPlot),
          () => undefined,
        );
        return () => {};
      }),
    [],
  );
  useEffect(() => {
    if (draw === undefined || place.current === null) return undefined;
    return draw(place.current, activity);
  }, [draw, activity]);
  return <div class="uplot-place" ref={place} role="img" aria-label={inWords(activity)} />;
}

/** For those who do not see it. */
function inWords({ sent, copies, until, wakes }: Activity): string {
  const peak = Math.max(0, ...sent);
  const at = Date.parse(until) - (sent.length - 1 - sent.lastIndexOf(peak)) * 60_000;
  const told = `Last hour: ${sumOf(sent)} sends and ${sumOf(copies)} copies`;
  const busiest = peak === 0 ? '' : `, at most ${peak} sends a minute, at ${when(at, Date.now())}`;
  const woken =
    (wakes?.p99 ?? null) === null ? '' : `. Waits that were woken answered within ${milliseconds(wakes?.p99 ?? 0)}`;
  return `${told}${busiest}${woken}`;
}
