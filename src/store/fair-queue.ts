// Waiting reads, by caller: callers take turns, so that who asks much waits for itself and not others for it.

export class FairQueue<Item> {
  /** In the order of their turns. */
  readonly #items = new Map<string, Item[]>();

  push(caller: string, item: Item): void {
    const waiting = this.#items.get(caller);
    if (waiting === undefined) this.#items.set(caller, [item]);
    else waiting.push(item);
  }

  shift(): Item | undefined {
    const [next] = this.#items;
    if (next === undefined) return undefined;
    const [caller, waiting] = next;
    const item = waiting.shift();
    this.#items.delete(caller);
    if (waiting.length > 0) this.#items.set(caller, waiting);
    return item;
  }
}

/** For whom a read is, as its query says: the agent of a session, or all others of it together. */
export function callerOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const { sessionId, agentId, reader } = query as { sessionId?: unknown; agentId?: unknown; reader?: unknown };
  const named = typeof reader === 'object' && reader !== null && 'agentId' in reader ? reader.agentId : reader;
  return [sessionId, agentId ?? named].filter((part) => typeof part === 'string').join('\n');
}
