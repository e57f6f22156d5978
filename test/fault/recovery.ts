// How long hubs take to do their work again, by what the clients saw: from the end of an outage to the first send that
// a hub accepted.
import type { HistoryEvent } from './history.js';
import type { TroubleKind, TroubleOutage } from './trouble.js';

export interface Recovery {
  kind: TroubleKind;
  hub: string;
  /** Infinity when it did not recover before its next outage, though it had time to. */
  ms: number;
}

/** One that has its next trouble sooner has not been given the time. */
const timeGivenUs = 5_000_000;

export function recoveriesOf(
  histories: readonly HistoryEvent[][],
  outages: readonly TroubleOutage[],
  hubs: readonly string[],
): Recovery[] {
  const sends = histories.flat().filter(({ operation }) => operation === 'send_message');
  const accepted = sends.filter(({ type }) => type === 'ok');
  const endUs = Math.max(...accepted.map(({ atUs }) => atUs));
  return outages.flatMap(({ kind, hub, untilUs }) =>
    hubs
      .filter((url) => hub === undefined || hub === url)
      .flatMap((url): Recovery[] => {
        const own = outages.filter((other) => other.hub === undefined || other.hub === url);
        // Two troubles of one hub at once: it recovers from the one that ends last.
        if (own.some((other) => other.fromUs < untilUs && other.untilUs > untilUs)) return [];
        const nextUs = Math.min(endUs, ...own.map(({ fromUs }) => fromUs).filter((fromUs) => fromUs > untilUs));
        const firstUs = firstAt(accepted, url, untilUs);
        if (firstUs < nextUs) return [{ kind, hub: url, ms: (firstUs - untilUs) / 1000 }];
        // Nobody may have come by meanwhile.
        const timeUs = nextUs - firstAt(sends, url, untilUs);
        return timeUs < timeGivenUs ? [] : [{ kind, hub: url, ms: Number.POSITIVE_INFINITY }];
      }),
  );
}

function firstAt(events: readonly HistoryEvent[], hub: string, sinceUs: number): number {
  return Math.min(...events.filter((event) => event.hub === hub && event.atUs >= sinceUs).map(({ atUs }) => atUs));
}

export function describeRecoveries(recoveries: readonly Recovery[]): string {
  const kinds = [...new Set(recoveries.map(({ kind }) => kind))].toSorted();
  return kinds
    .map((kind) => {
      const times = recoveries.filter((recovery) => recovery.kind === kind).map(({ ms }) => ms);
      const inOrder = times.toSorted((a, b) => a - b);
      const middle = Math.round(inOrder[Math.floor(inOrder.length / 2)] ?? 0);
      const longest = Math.round(inOrder.at(-1) ?? 0);
      return `recovery, ${kind}: ${times.length} times, middle ${middle} ms, longest ${longest} ms`;
    })
    .join('\n');
}
