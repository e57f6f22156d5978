// Titles of threads for commands that show messages of many. Each is asked for once.
import { errorKinds, HubError } from '../../contract/errors.js';
import { operations } from '../../contract/operations/index.js';
import type { Message } from '../../contract/message.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from './connect.js';

/** Bounds the memory of a `tail` that runs for months. */
const titlesMax = 1_000;

export class ThreadTitles {
  readonly #choice: HubChoice;
  /** Null for a label, and for a thread that this caller may not see. */
  readonly #known = new Map<string, string | null>();

  constructor(choice: HubChoice) {
    this.#choice = choice;
  }

  /** By thread id. A thread is missing if it has no title that can be shown now. */
  async of(messages: readonly Message[]): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(messages.flatMap(({ threadId }) => threadId ?? []))];
    const found = await Promise.all(ids.map(async (id) => [id, await this.#titleOf(id)] as const));
    return new Map(found.flatMap(([id, title]) => (title === null ? [] : [[id, title]])));
  }

  async #titleOf(threadId: string): Promise<string | null> {
    const known = this.#known.get(threadId);
    if (known !== undefined) return known;
    try {
      const { title } = await connect(this.#choice).call(operations.getThread, { threadId, limit: 1 });
      return this.#keep(threadId, title);
    } catch (error) {
      // A hub that restarts is asked again with the next message.
      return isRefusal(error) ? this.#keep(threadId, null) : null;
    }
  }

  #keep(threadId: string, title: string | null): string | null {
    if (this.#known.size >= titlesMax) this.#known.clear();
    this.#known.set(threadId, title);
    return title;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof HubError && errorKinds[error.code].retry !== 'later';
}
