// Several hubs as one, behind addresses that lead to any of them. Tests in this process are spread over them as programs
// on several machines are: each agent has connections of its own.
import { startRoundRobin } from './round-robin.js';
import { world } from './world.js';

export interface Team {
  url: string;
  stop(): Promise<void>;
}

interface Known {
  hubs: readonly string[];
  /** Each leads to all hubs, beginning with another. */
  doors: readonly string[];
  doorOf: Map<string, string>;
}

const teams = new Map<string, Known>();

export async function gather(hubs: readonly string[]): Promise<Team> {
  const [only] = hubs;
  if (only !== undefined && hubs.length === 1) return { url: only, stop: () => Promise.resolve() };
  const robins = await Promise.all(hubs.map((_, first) => startRoundRobin(hubs, first)));
  const doors = robins.map(({ url }) => url);
  const [url = ''] = doors;
  teams.set(url, { hubs, doors, doorOf: new Map() });
  return {
    url,
    async stop() {
      if (!teams.delete(url)) return;
      await Promise.all(robins.map((robin) => robin.stop()));
    },
  };
}

/** What tells a command which hub is meant. */
export function flagsOf(data: string, url: string): string[] {
  return world === 'sqlite' ? ['--data', data] : ['--url', url];
}

/** The hubs themselves, for what only each can tell of itself. */
export function hubsAt(url: string): readonly string[] {
  return teams.get(url)?.hubs ?? [url];
}

/** All calls of one process would share one connection, and so one hub. */
export function spreadFetch(): void {
  const plainFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    if (input instanceof Request) return plainFetch(input, init);
    const url = new URL(input);
    const team = teams.get(url.origin);
    const agent = new Headers(init?.headers).get('coterie-agent') ?? url.searchParams.get('agent');
    if (team === undefined || agent === null) return plainFetch(input, init);
    const door = team.doorOf.get(agent) ?? team.doors[(team.doorOf.size + 1) % team.doors.length] ?? url.origin;
    team.doorOf.set(agent, door);
    return plainFetch(door + url.href.slice(url.origin.length), init);
  };
}
