// The mail of readers who had none before this batch: then what the batch stores for them is all they have, and a wait can be
// handed it without reading it back.
import type { CopyRow } from '../../rows/copy-row.js';
import type { Inbox } from '../../rules/statements.js';
import type { CommandName } from '../commands.js';
import type { SessionMemory } from '../writer/writer-memory.js';

/** These neither free, lease nor end a copy that is free. A batch with any other command is not followed. */
const followed: ReadonlySet<CommandName> = new Set(['appendPacked', 'confirmLease', 'noteSeen']);

export function isFollowed(name: CommandName): boolean {
  return followed.has(name);
}

export class OnlyMail {
  readonly #byReader = new Map<string, CopyRow[]>();

  /** A waking copy that is being stored; called before the session counts it. */
  add(session: SessionMemory, reader: Inbox, copy: CopyRow): void {
    const key = keyOf(reader);
    const mail = session.hasNoMail(reader.agentId) ? [] : this.#byReader.get(key);
    if (mail !== undefined) this.#byReader.set(key, [...mail, copy]);
  }

  /** All free waking copies of the reader in inbox order; undefined if they are not known. Only once: a lease changes them. */
  take(reader: Inbox): CopyRow[] | undefined {
    const key = keyOf(reader);
    const mail = this.#byReader.get(key);
    this.#byReader.delete(key);
    return mail?.toSorted((a, b) => a.rank - b.rank || a.seq - b.seq);
  }
}

function keyOf({ sessionId, agentId }: Inbox): string {
  return `${sessionId}\n${agentId}`;
}
