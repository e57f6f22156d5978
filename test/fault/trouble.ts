// What happens to several hubs on one database, drawn by lot: hubs are killed or stand still, the way of a hub to the
// database falls silent, the database dies. Notes when each part could not do its work.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresProcess } from '../support/postgres-process.js';
import type { DatabaseDoor } from './database-door.js';
import type { FaultHub } from './fault-hub.js';
import type { SeededRandom } from './load/seeded-random.mjs';
import type { Outage } from './run-record.js';

/** Longer than an automatic lease, so that another hub has the copies when it goes on. */
const standStillMs = 12_000;
/** Longer than a call waits for the database. */
const longCrashMs = 11_500;

export type TroubleKind = 'hub killed' | 'hub stopped' | 'way silent' | 'database crashed';
export type TroubleOutage = Outage & { kind: TroubleKind };

const deck = ['stop', 'crash', 'kill', 'silence', 'long crash', 'crash and kill'] as const;
type Card = (typeof deck)[number];

interface Team {
  hubs: readonly FaultHub[];
  /** One for each hub. */
  doors: readonly DatabaseDoor[];
  database: PostgresProcess;
  random: SeededRandom;
}

export class Trouble {
  readonly #team: Team;
  readonly outages: TroubleOutage[] = [];
  /** By hub; resolves when it is over. */
  readonly #underWay = new Map<FaultHub, Promise<void>>();

  constructor(team: Team) {
    this.#team = team;
  }

  /** Deals whole decks until the time is over, then waits until everything is up again. */
  async deal(forMs: number): Promise<void> {
    const { random } = this.#team;
    const end = performance.now() + forMs;
    do {
      for (const card of shuffled(deck, random)) {
        await sleep(random.between(1_000, 3_000));
        await this.#play(card);
      }
    } while (performance.now() < end);
    await Promise.all(this.#underWay.values());
  }

  async #play(card: Card): Promise<void> {
    const { random } = this.#team;
    switch (card) {
      case 'kill':
        await this.#killHub(await this.#freeHub());
        return;
      case 'crash':
        return this.#crashDatabase(random.between(0, 2_500));
      case 'long crash':
        return this.#crashDatabase(longCrashMs);
      case 'crash and kill':
        return this.#crashDatabase(random.between(0, 1_000), await this.#freeHub());
      case 'stop':
        return this.#meanwhile(await this.#freeHub(), (hub) => this.#stopHub(hub));
      case 'silence':
        return this.#meanwhile(await this.#freeHub(), (hub) => this.#silenceWay(hub));
    }
  }

  /** One that nothing is being done to; the others go on without it. */
  async #freeHub(): Promise<FaultHub> {
    const { hubs, random } = this.#team;
    while (this.#underWay.size >= hubs.length - 1) await Promise.race(this.#underWay.values());
    return random.pick(hubs.filter((hub) => !this.#underWay.has(hub)));
  }

  #meanwhile(hub: FaultHub, doIt: (hub: FaultHub) => Promise<void>): void {
    const over = doIt(hub).finally(() => this.#underWay.delete(hub));
    // Whoever waits for it hears of a failure; until then it must not end the process.
    over.catch(() => {});
    this.#underWay.set(hub, over);
  }

  async #killHub(hub: FaultHub): Promise<void> {
    await this.#during('hub killed', hub, async () => {
      await hub.end('SIGKILL');
      await hub.start();
    });
  }

  async #stopHub(hub: FaultHub): Promise<void> {
    await this.#during('hub stopped', hub, async () => {
      hub.signal('SIGSTOP');
      await sleep(standStillMs);
      hub.signal('SIGCONT');
    });
  }

  async #silenceWay(hub: FaultHub): Promise<void> {
    const { hubs, doors, random } = this.#team;
    const door = doors[hubs.indexOf(hub)];
    const swallowed = random.pick(['everything', 'answers'] as const);
    const [ms, laterMs] = [random.between(500, 14_000), random.pick([0, 4_000])];
    await this.#during('way silent', hub, async () => {
      door?.fallSilent(swallowed);
      await sleep(ms);
      door?.heal(laterMs);
    });
  }

  async #crashDatabase(downMs: number, alsoKilled?: FaultHub): Promise<void> {
    const { database } = this.#team;
    const dying = alsoKilled?.end('SIGKILL');
    await this.#during('database crashed', undefined, async () => {
      await database.crash();
      await sleep(downMs);
      await database.start();
    });
    await dying;
    if (alsoKilled !== undefined) await this.#killHub(alsoKilled);
  }

  async #during(kind: TroubleKind, hub: FaultHub | undefined, doIt: () => Promise<void>): Promise<void> {
    const fromUs = nowUs();
    await doIt();
    this.outages.push({ kind, ...(hub && { hub: hub.url }), fromUs, untilUs: nowUs() });
  }
}

/** The clock of the histories. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

function shuffled<Item>(items: readonly Item[], random: SeededRandom): Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
