// Pairs without a direction, the most talkative first. A function of its arguments alone.
export interface Edge {
  a: string;
  b: string;
  messages: number;
}

const edgesMax = 60;

export function edgesOf(
  pairs: readonly { from: string; to: string; messages: number }[],
  who: string | undefined,
): Edge[] {
  const edges = new Map<string, Edge>();
  for (const { from, to, messages } of pairs) {
    // Notices of the hub are not talk.
    if (from === 'system' || from === to) continue;
    if (who !== undefined && from !== who && to !== who) continue;
    const [a, b] = from < to ? [from, to] : [to, from];
    const key = `${a} ${b}`;
    edges.set(key, { a, b, messages: (edges.get(key)?.messages ?? 0) + messages });
  }
  return [...edges.values()].toSorted((one, other) => other.messages - one.messages).slice(0, edgesMax);
}
