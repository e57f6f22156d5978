// The property itself, for any store: whatever happens, the store does what the model does.
import * as fc from 'fast-check';
import { anyCommands } from './inbox-commands.js';
import type { Inbox } from './inbox-model.js';
import { World, type OpenStore, type StoreUnderTest } from './inbox-world.js';

/** Runs share one store, each in a session of its own. One that failed may have left a mess: the next gets a new store. */
export class InboxRuns {
  readonly #open: OpenStore;
  #opened: StoreUnderTest | undefined;
  #sessions = 0;
  /** Time goes on from run to run, as the store may expect. */
  #now = 1_700_000_000_000;

  constructor(open: OpenStore) {
    this.#open = open;
  }

  readonly property = fc.asyncProperty(anyCommands, (commands) => this.run(commands));

  async run(commands: Iterable<fc.AsyncCommand<Inbox, World>>): Promise<void> {
    this.#opened ??= await this.#open();
    this.#sessions += 1;
    const world = new World(this.#opened, `run-${this.#sessions}`);
    try {
      const model = await world.begin(this.#now);
      await fc.asyncModelRun(() => ({ model, real: world }), commands);
      await world.finish(model);
      this.#now = model.now;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#opened?.close();
    this.#opened = undefined;
  }
}
