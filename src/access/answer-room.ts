// How many bytes of answers the hub has in memory at once, in all, of one caller and of one connection. An answer counts from
// before it is read from the store until its client has taken it, or is gone.
import { HubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import type { AnswerHold, AnswerHolds, AnswerSink, WrittenAnswer } from '../ports/answer-room.js';
import type { Clock } from '../ports/clock.js';

/** How long a call waits for room before it is refused. */
const turnMs = 30_000;
/** An answer that its client has not taken for so long is cut, if others wait for room. */
const stuckMs = 5_000;
const checkEveryMs = 250;
/** What is read and built at once: it takes several times its size, and the time of everyone. */
const buildingBytesMax = 16 * 1024 * 1024;
const retryAfterMs = 1_000;

interface Waiting {
  bytes: number;
  until: number;
  enter: () => void;
  refuse: (error: HubError) => void;
}

export class AnswerRoom implements AnswerHolds {
  readonly #clock: Clock;
  #bytes = 0;
  /** Of them, what is not written yet. */
  #building = 0;
  readonly #lines = { page: [] as Waiting[], less: [] as Waiting[] };
  readonly #byCaller = new Map<string, number>();
  readonly #byConnection = new Map<object, number>();
  /** Written and not yet taken, the longest first. */
  readonly #written = new Map<Answer, number>();
  #stopChecks: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  hold(sink: AnswerSink): Answer {
    return new Answer(this, sink);
  }

  requireOwn(caller: string, connection: object, bytes: number): void {
    if ((this.#byCaller.get(caller) ?? 0) + bytes > limits.answerBytesPerCaller) throw busy('Answers to you');
    if ((this.#byConnection.get(connection) ?? 0) + bytes > limits.answerBytesPerConnection) {
      throw busy('Answers on this connection');
    }
  }

  /** Undefined if there is room at once. */
  enter(bytes: number): Promise<void> | undefined {
    const line = this.#lineOf(bytes);
    if (line.length === 0 && this.#fits(bytes)) return undefined;
    return new Promise((resolve, reject) => {
      line.push({ bytes, until: this.#clock.monotonic() + turnMs, enter: resolve, refuse: reject });
      this.#check();
    });
  }

  change(caller: string, connection: object, bytes: number): void {
    this.#bytes += bytes;
    add(this.#byCaller, caller, bytes);
    add(this.#byConnection, connection, bytes);
    if (bytes < 0) this.#admit();
  }

  noteWritten(answer: Answer): void {
    this.#written.set(answer, this.#clock.monotonic());
  }

  forget(answer: Answer): void {
    this.#written.delete(answer);
  }

  #fits(bytes: number): boolean {
    const most = bytes < limits.pageBytes ? buildingBytesMax : 2 * limits.pageBytes;
    if (this.#building > 0 && this.#building + bytes > most) return false;
    return this.#bytes === 0 || this.#bytes + bytes <= limits.answerBytes;
  }

  /** Whole pages take turns of their own, so that small answers do not wait behind them. */
  #lineOf(bytes: number): Waiting[] {
    return bytes < limits.pageBytes ? this.#lines.less : this.#lines.page;
  }

  #admit(): void {
    for (const line of [this.#lines.less, this.#lines.page]) {
      for (let [first] = line; first !== undefined && this.#fits(first.bytes); [first] = line) {
        line.shift();
        // It counts from here on, so that the next in turn does not get the same room.
        this.#bytes += first.bytes;
        this.#building += first.bytes;
        first.enter();
      }
    }
  }

  #check(): void {
    if (this.#stopChecks !== undefined) return;
    this.#stopChecks = this.#clock.after(checkEveryMs, () => {
      this.#stopChecks = undefined;
      const now = this.#clock.monotonic();
      const [stuck] = this.#written;
      if (stuck !== undefined && now - stuck[1] >= stuckMs) stuck[0].cut();
      const lines = [this.#lines.less, this.#lines.page];
      for (const line of lines) {
        while (line[0] !== undefined && line[0].until <= now) line.shift()?.refuse(busy('Answers of this hub'));
      }
      this.#admit();
      if (lines.some(({ length }) => length > 0)) this.#check();
    });
  }

  /** Room that was given to a waiting call is counted by its answer. */
  entered(bytes: number): void {
    this.#bytes -= bytes;
    this.#building -= bytes;
  }

  build(bytes: number): void {
    this.#building += bytes;
    if (bytes < 0) this.#admit();
  }
}

/** What one response holds; several calls of one request add up. */
class Answer implements WrittenAnswer {
  readonly #room: AnswerRoom;
  readonly #sink: AnswerSink;
  #caller = '';
  #bytes = 0;
  #building = 0;
  #hasEnded = false;

  constructor(room: AnswerRoom, sink: AnswerSink) {
    this.#room = room;
    this.#sink = sink;
  }

  async take({ grant, sessionId, agentId }: Parameters<AnswerHold['take']>[0], bytes: number): Promise<() => void> {
    if (this.#caller === '') this.#caller = grant === null ? `${sessionId}\n${agentId ?? ''}` : `key ${grant.keyId}`;
    this.#room.requireOwn(this.#caller, this.#sink.connection, bytes);
    const turn = this.#room.enter(bytes);
    if (turn !== undefined) {
      await turn;
      this.#room.entered(bytes);
    }
    if (this.#hasEnded) return () => {};
    this.#build(bytes);
    this.#change(bytes);
    return () => {
      this.#build(-Math.min(bytes, this.#building));
      this.#change(-Math.min(bytes, this.#bytes));
    };
  }

  /** The answer is written, and has this size. */
  written(bytes: number): void {
    if (this.#bytes === 0) return;
    this.#build(-this.#building);
    this.#change(bytes - this.#bytes);
    if (!this.#hasEnded) this.#room.noteWritten(this);
  }

  cut(): void {
    this.#sink.cut();
  }

  end(): void {
    this.#build(-this.#building);
    this.#change(-this.#bytes);
    this.#hasEnded = true;
    this.#room.forget(this);
  }

  #build(bytes: number): void {
    this.#building += bytes;
    this.#room.build(bytes);
  }

  #change(bytes: number): void {
    if (this.#hasEnded || bytes === 0) return;
    this.#bytes += bytes;
    this.#room.change(this.#caller, this.#sink.connection, bytes);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, bytes: number): void {
  const count = (counts.get(key) ?? 0) + bytes;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function busy(what: string): HubError {
  return new HubError(
    'BUSY',
    `${what} that are not read yet fill the memory that is there for them. Nothing was taken.`,
    {
      hint: `Read the answers to earlier calls, and call again in ${retryAfterMs} ms.`,
      details: { retryAfterMs },
    },
  );
}
