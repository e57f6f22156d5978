// Draws the plot, in the page's own colours. Loaded with uPlot when a plot is seen.
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Activity } from '../../data/overview.js';
import { milliseconds } from '../../parts/words/time-words.js';

const height = 170;

/** Answers how to remove it. */
export function drawPlot(place: HTMLElement, { since, until, sent, copies, wakes }: Activity): () => void {
  const start = Date.parse(since) / 1_000;
  const step = (Date.parse(until) / 1_000 - start) / sent.length;
  const times = sent.map((_, index) => start + (index + 0.5) * step);
  const delays = wakes === undefined || wakes.count === 0 ? undefined : wakes.parts;
  const make = () =>
    new UPlot(
      options(place, delays !== undefined),
      delays === undefined ? [times, sent, copies] : [times, sent, copies, delays],
      place,
    );
  let plot = make();
  const redraw = () => {
    plot.destroy();
    plot = make();
  };
  const theme = matchMedia('(prefers-color-scheme: dark)');
  theme.addEventListener('change', redraw);
  const resized = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height }));
  resized.observe(place);
  return () => {
    theme.removeEventListener('change', redraw);
    resized.disconnect();
    plot.destroy();
  };
}

/** Delays have an axis of their own, at the right. */
function options(place: HTMLElement, hasDelays: boolean): UPlot.Options {
  const colour = (name: string) => getComputedStyle(place).getPropertyValue(name).trim();
  const axis: UPlot.Axis = {
    stroke: colour('--ink-3'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: `11px ${colour('--sans')}`,
  };
  return {
    width: place.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] },
      ms: { range: (_plot, _min, max) => [0, Math.max(100, max * 1.25)] },
    },
    axes: [
      { ...axis, values: (_plot, splits) => splits.map(clock) },
      { ...axis, size: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000] },
      ...(hasDelays
        ? [{ ...axis, scale: 'ms', side: 1 as const, size: 52, grid: { show: false }, values: inMilliseconds }]
        : []),
    ],
    series: [
      {},
      { stroke: colour('--ink'), width: 2, points: { show: false } },
      { stroke: colour('--ink-3'), width: 1.5, points: { show: false } },
      ...(hasDelays
        ? [
            {
              scale: 'ms',
              paths: () => null,
              points: { show: true, size: 6, width: 0, fill: colour('--line-strong'), stroke: colour('--line-strong') },
            },
          ]
        : []),
    ],
  };
}

function inMilliseconds(_plot: UPlot, splits: number[]): string[] {
  return splits.map((ms) => milliseconds(ms));
}

function clock(seconds: number): string {
  return new Date(seconds * 1_000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
