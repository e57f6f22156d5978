// A sample of a hub for `top`: metrics and agents, and the activity between two samples.
import { hubUnreachable } from '../../client/unreachable.js';
import type { AgentView } from '../../contract/agent.js';
import { operations } from '../../contract/operations/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { authorizationOf } from '../arguments/key-choice.js';
import { connect } from './connect.js';

export interface HubSample {
  readonly url: string;
  readonly atMs: number;
  readonly metrics: ReadonlyMap<string, number>;
  readonly agents: readonly AgentView[];
}

export interface Activity {
  readonly messages: number;
  readonly sendsPerSecond: number;
  readonly copiesPerSecond: number;
  readonly readPerSecond: number;
  readonly waitsParked: number;
  readonly pending: number;
  /** Delivered, not yet known to have arrived. */
  readonly inDoubt: number;
  readonly deadLettered: number;
  /** Null before the first one. */
  readonly commitMs: number | null;
  readonly wakeMs: number | null;
  readonly residentBytes: number;
}

export async function sampleHub(choice: HubChoice): Promise<HubSample> {
  const hub = connect(choice);
  const { agents } = await hub.call(operations.listAgents, {});
  const metrics = await fetchMetrics(hub.url, choice);
  return { url: hub.url, atMs: performance.now(), metrics, agents };
}

async function fetchMetrics(url: string, { key }: HubChoice): Promise<ReadonlyMap<string, number>> {
  try {
    return readMetrics(await (await fetch(`${url}/metrics`, { headers: authorizationOf(key) })).text());
  } catch (cause) {
    throw hubUnreachable(url, 'metrics', cause);
  }
}

/** `name{labels}` → value, from the Prometheus text form. */
function readMetrics(text: string): ReadonlyMap<string, number> {
  const rows = text.split('\n').flatMap((line): [string, number][] => {
    const [, name, value] = /^([a-z_]+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, Number(value)]];
  });
  return new Map(rows);
}

export function activityBetween(before: HubSample, after: HubSample): Activity {
  const seconds = Math.max(0.001, (after.atMs - before.atMs) / 1_000);
  const now = (name: string) => after.metrics.get(name) ?? 0;
  // Counters restart with the hub.
  const grown = (name: string) => Math.max(0, now(name) - (before.metrics.get(name) ?? 0));
  const perSecond = (name: string) => Math.round((grown(name) / seconds) * 10) / 10;
  const mean = (name: string) => {
    const isFresh = grown(`${name}_count`) > 0;
    const [sum, count] = isFresh
      ? [grown(`${name}_sum`), grown(`${name}_count`)]
      : [now(`${name}_sum`), now(`${name}_count`)];
    return count === 0 ? null : Math.round((sum / count) * 100) / 100;
  };
  return {
    messages: now('coterie_messages'),
    sendsPerSecond: perSecond('coterie_sends_total'),
    copiesPerSecond: perSecond('coterie_copies_total'),
    readPerSecond: perSecond('coterie_copies_ended_total{state="read"}'),
    waitsParked: now('coterie_waits_parked'),
    pending: now('coterie_deliveries{state="pending"}'),
    inDoubt: now('coterie_deliveries{state="delivered"}'),
    deadLettered: now('coterie_copies_ended_total{state="dead_lettered"}'),
    commitMs: mean('coterie_commit_ms'),
    wakeMs: mean('coterie_wake_ms'),
    residentBytes: now('coterie_resident_bytes'),
  };
}
