// What the statement files use in the reader's thread: one snapshot per call, no cache from the call before, and a deadline.
import { HubError } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import type { SqlValue } from '../writer/driver.js';
import { Tx } from '../writer/transaction.js';

export class ReadTx extends Tx {
  #deadline = 0;

  /**
   * Runs `read` in a snapshot that is taken now, so it sees every commit that was answered before the call. The snapshot
   * ends with the call: an older one would keep the log from being reset.
   */
  inSnapshot<Result>(read: () => Result): Result {
    this.memory.forgetAll();
    this.#deadline = performance.now() + limits.readMs;
    this.control('begin');
    try {
      return read();
    } finally {
      if (this.isOpen) this.control('rollback');
    }
  }

  override get<Row>(sql: string, values: readonly SqlValue[] = []): Row | undefined {
    this.#requireTime();
    return super.get<Row>(sql, values);
  }

  override all<Row>(sql: string, values: readonly SqlValue[] = []): Row[] {
    this.#requireTime();
    return super.all<Row>(sql, values);
  }

  /** Between statements, because nothing can stop one; each is bounded by its limit. */
  #requireTime(): void {
    if (performance.now() > this.#deadline) throw tooBroad();
  }
}

function tooBroad(): HubError {
  return new HubError('QUERY_TOO_BROAD', `This read took longer than ${limits.readMs} ms and was ended.`, {
    hint: 'Narrow it by threadId, source or since, search for a rarer word, or ask for fewer at once.',
    details: { limit: limits.readMs },
  });
}
