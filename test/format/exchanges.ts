// The tool calls in a provider's request, each group with the results that stand right behind it.

export interface Written {
  calls: unknown[];
  results: unknown[];
  /** Nothing stands behind it: the results may still be on their way. */
  isLast: boolean;
}

type Json = Record<string, unknown>;
type Listing = (message: Json) => unknown[];

// Tests look into what they are about to prove.
// oxlint-disable-next-line typescript/no-explicit-any
const list = (value: unknown): any[] => (Array.isArray(value) ? value : []);

const openaiForm: { calls: Listing; results: Listing } = {
  calls: ({ tool_calls: calls }) => list(calls).map(({ id }) => id),
  results: (message) => (message['role'] === 'tool' ? [message['tool_call_id']] : []),
};

const forms: Record<string, { calls: Listing; results: Listing }> = {
  anthropic: {
    calls: ({ content }) => list(content).flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    results: ({ content }) =>
      list(content).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
  },
  gemini: {
    calls: ({ parts }) =>
      list(parts).flatMap((part) => (part.functionCall === undefined ? [] : [part.functionCall.id])),
    results: ({ parts }) =>
      list(parts).flatMap((part) => (part.functionResponse === undefined ? [] : [part.functionResponse.id])),
  },
  'openai-responses': {
    calls: ({ type, call_id: id }) => (type === 'function_call' ? [id] : []),
    results: ({ type, call_id: id }) => (type === 'function_call_output' ? [id] : []),
  },
};

/** Results that stand behind no call are a group without calls. */
export function exchangesOf(provider: string, messages: readonly Json[]): Written[] {
  const form = forms[provider] ?? openaiForm;
  const groups: Written[] = [];
  let before: 'calls' | 'results' | 'other' = 'other';
  for (const [index, message] of messages.entries()) {
    const isLast = index === messages.length - 1;
    const calls = form.calls(message);
    const results = form.results(message);
    const group = groups.at(-1);
    if (calls.length > 0) {
      // The items of one turn stand one after the other in the Responses API; elsewhere each turn is a message.
      if (before === 'calls' && provider === 'openai-responses') group?.calls.push(...calls);
      else groups.push({ calls, results: [], isLast });
      before = 'calls';
    } else if (results.length > 0) {
      if (before === 'other' || group === undefined) groups.push({ calls: [], results, isLast });
      else group.results.push(...results);
      before = 'results';
    } else before = 'other';
    const last = groups.at(-1);
    if (last !== undefined) last.isLast = isLast && before !== 'other';
  }
  return groups;
}
