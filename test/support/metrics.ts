// Reads one number from a hub's /metrics; of several hubs on one database, the number of all of them.
import { eventually } from './eventually.js';
import { hubsAt } from './hub-team.js';

/** What a hub counts itself. The rest is counted in the store, which the hubs of a team share. */
const ownForm = /_total$|_count$|_sum$|^coterie_waits_parked$/;

export async function metric(url: string, name: string): Promise<number> {
  const values = await Promise.all(hubsAt(url).map((hub) => readOne(hub, name)));
  const [first = Number.NaN] = values;
  return ownForm.test(name) ? values.reduce((sum, value) => sum + value, 0) : first;
}

async function readOne(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const row = text.split('\n').find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return Number(row?.split(' ').at(-1) ?? Number.NaN);
}

/** Waits until so many calls are parked. */
export const parkedAt = (hub: { url: string }, count: number, withinMs?: number) =>
  eventually(`${count} waits parked`, async () => (await metric(hub.url, 'coterie_waits_parked')) === count, withinMs);
