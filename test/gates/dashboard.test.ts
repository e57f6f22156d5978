// What operators watch exists: the dashboard and the table in the documents name the numbers that a hub really gives.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

interface Panel {
  id: number;
  title: string;
  targets: { expr: string }[];
}

const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as { panels: Panel[] };
const names = /\bcoterie_[a-z_]+/g;

let hub: HubInProcess;
/** As samples have them: `_bucket`, `_sum` and `_count` of a histogram each. */
let samples: Set<string>;
let families: Set<string>;

beforeAll(async () => {
  hub = await startHubInProcess();
  // Some numbers have a row only after the first call.
  await call(hub.url, 'list_agents', {}, { agent: 'ann' });
  await call(hub.url, 'set_group', { name: 'g', members: [] });
  const route = { kind: 'command', companion: 'c' };
  const { routeId } = await call(hub.url, 'set_wake_route', route, { agent: 'ben' });
  await call(hub.url, 'send_message', { target: 'ben', content: 'x' }, { agent: 'ann' });
  await call(hub.url, 'await_wake', { routeId, companion: 'c' }, { agent: 'ben' });
  await call(hub.url, 'get_messages', {}, { agent: 'ben' });
  const lines = (await (await fetch(`${hub.url}/metrics`)).text()).split('\n');
  samples = new Set(lines.filter((line) => !line.startsWith('#')).flatMap((line) => /^\w+/.exec(line)?.[0] ?? []));
  families = new Set(lines.flatMap((line) => /^# TYPE (\w+)/.exec(line)?.[1] ?? []));
});

afterAll(() => hub.stop());

describe('deploy/grafana-dashboard.json', () => {
  it.each(dashboard.panels)('$title shows numbers that /metrics has', ({ targets }) => {
    const used = targets.flatMap(({ expr }) => expr.match(names) ?? []);
    expect(used.length).toBeGreaterThanOrEqual(targets.length);
    expect(used.filter((name) => !samples.has(name) && !families.has(name))).toEqual([]);
  });

  it('leaves none of them out', () => {
    const text = JSON.stringify(dashboard.panels);
    expect([...families].filter((family) => !text.includes(family))).toEqual([]);
  });

  it('numbers its panels once each', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});

describe('docs/operations.md', () => {
  const [, section = ''] = read('docs/operations.md').split('\n## Metrics\n');
  const rows =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `coterie_')) ?? [];
  const listed = rows.flatMap((row) => row.split('|')[1]?.match(names) ?? []);

  it('lists every number that /metrics has, and no other', () => {
    expect(listed.toSorted()).toEqual([...families].toSorted());
  });
});
