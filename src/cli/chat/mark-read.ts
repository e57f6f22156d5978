// Acknowledges the copies of messages that were shown, so that the inbox and the senders know. A message that was not
// printed stays unread.
import type { Message } from '../../contract/message.js';
import { operations } from '../../contract/operations/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';

/** Copies leased at a time. */
const leasedMax = 200;

export class ReadMarker {
  readonly #choice: HubChoice;
  readonly #threadId: string;
  /** The shown messages are all of the thread from `#first` to `#last`. */
  #first = Infinity;
  #last = 0;
  /** Leased before they were shown. */
  #held: Message[] = [];
  #isRunning = false;
  #isHinted = false;

  constructor(choice: HubChoice, threadId: string) {
    this.#choice = choice;
    this.#threadId = threadId;
  }

  /** Does not wait for the hub. */
  shown({ seq }: Message): void {
    this.#first = Math.min(this.#first, seq);
    this.#last = Math.max(this.#last, seq);
    this.#isHinted = true;
    // A hub that is away gets the next ones; the leases of these end by themselves.
    if (!this.#isRunning) void this.#run().catch(() => {});
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#isHinted) {
        this.#isHinted = false;
        await this.#acknowledge();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #acknowledge(): Promise<void> {
    const hub = connect(this.#choice);
    const threadId = this.#threadId;
    const limit = leasedMax - this.#held.length;
    const inbox = limit === 0 ? undefined : await hub.call(operations.getMessages, { threadId, ack: 'manual', limit });
    const leased = [...this.#held, ...(inbox?.messages ?? [])];
    const [older, rest] = split(leased, ({ seq }) => seq < this.#first);
    const [shown, later] = split(rest, ({ seq }) => seq <= this.#last);
    this.#held = later;
    if (shown.length > 0) await hub.call(operations.ackMessages, { ids: idsOf(shown) });
    if (older.length > 0) await hub.call(operations.ackMessages, { ids: idsOf(older), release: true });
  }
}

const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id);

function split(messages: readonly Message[], isFirst: (message: Message) => boolean): [Message[], Message[]] {
  return [messages.filter(isFirst), messages.filter((message) => !isFirst(message))];
}
