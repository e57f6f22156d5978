// How long calls took beyond what they had asked for: no client should have to wait longer for a hub that cannot reach
// its store.
import type { HistoryEvent } from './history.js';
import type { TroubleOutage } from './trouble.js';

export interface SlowCall {
  process: string;
  operation: string;
  outcome: string;
  ms: number;
}

/** Calls that took longer, but for those at a hub that was stopped meanwhile: it could not answer. */
export function slowCallsOf(
  histories: readonly HistoryEvent[][],
  outages: readonly TroubleOutage[],
  msMax: number,
): SlowCall[] {
  const stops = outages.filter(({ kind }) => kind === 'hub stopped');
  return histories.flatMap((history) => {
    const begun = new Map<number, HistoryEvent>();
    const slow: SlowCall[] = [];
    for (const event of history) {
      if (event.type === 'invoke') begun.set(event.call, event);
      const { atUs: fromUs = event.atUs, args } = begun.get(event.call) ?? {};
      const ms = (event.atUs - fromUs) / 1000 - (args?.timeoutMs ?? 0);
      if (event.operation === 'feed' || ms <= msMax) continue;
      if (stops.some(({ hub, ...stop }) => hub === event.hub && stop.fromUs < event.atUs && stop.untilUs > fromUs))
        continue;
      const { process, operation, type } = event;
      slow.push({ process, operation, outcome: event.code ?? event.reason ?? type, ms: Math.round(ms) });
    }
    return slow;
  });
}

export function describeSlowCalls(calls: readonly SlowCall[], msMax: number): string {
  const slowest = calls.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
  const shown = slowest.map(({ process, operation, outcome, ms }) => `${process} ${operation} ${outcome} ${ms} ms`);
  return `calls that took more than ${msMax} ms over their time: ${[String(calls.length), ...shown].join('; ')}`;
}
