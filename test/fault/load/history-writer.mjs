// The history of one client process: lines in the form of ../history.ts, each on its way to the disk before the client
// goes on, so that whatever ends the process, the file says what it had seen.
import { openSync, writeSync } from 'node:fs';

export class HistoryWriter {
  #file;
  #process;
  #calls = 0;
  #open = new Map();

  constructor(path, process) {
    this.#file = openSync(path, 'a');
    this.#process = process;
  }

  /** Returns the call's number, by which its outcome is told. */
  invoke(hub, operation, args) {
    this.#calls += 1;
    this.#open.set(this.#calls, { hub, operation });
    this.#write(this.#calls, 'invoke', { args });
    return this.#calls;
  }

  ok(call, { result, copies, connection }) {
    this.#end(call, 'ok', { result, copies, connection });
  }

  fail(call, code) {
    this.#end(call, 'fail', { code });
  }

  unknown(call, reason) {
    this.#end(call, 'unknown', { reason });
  }

  /** What a feed brought on its way; the call that opened it goes on. */
  progress(call, copies) {
    this.#write(call, 'ok', { copies });
  }

  #end(call, type, more) {
    this.#write(call, type, more);
    this.#open.delete(call);
  }

  #write(call, type, more) {
    const atUs = Number(process.hrtime.bigint() / 1000n);
    const line = { process: this.#process, call, ...this.#open.get(call), type, atUs, ...more };
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

const ranks = { high: 1, low: 3 };

/** The messages of an answer as the history keeps them. */
export function copiesOf(messages) {
  return messages.map((message) => ({
    id: message.id,
    seq: message.seq,
    uid: message.metadata?.uid,
    threadId: message.threadId,
    rank: message.action === 'interrupt' ? 0 : ranks[message.priority],
    redelivered: message.redelivered,
    attempt: message.attempt,
  }));
}
