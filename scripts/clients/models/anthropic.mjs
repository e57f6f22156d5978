// The Anthropic Messages API, as Claude Code speaks it.

export const anthropic = {
  isTurn: ({ path, body }) => path.endsWith('/v1/messages') && (body.tools ?? []).length > 1,

  /** What came after the model's last words. */
  shownIn({ messages }) {
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    return messages.slice(last + 1).flatMap(({ content }) => partsOf(content));
  },

  /** `[event name or null, data]` of each event. */
  answer({ model }, { text, call }, id) {
    const block =
      call === undefined ? { type: 'text', text: '' } : { type: 'tool_use', id, name: call.name, input: {} };
    const delta =
      call === undefined
        ? { type: 'text_delta', text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) };
    const stop = { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null };
    const usage = { input_tokens: 100, output_tokens: 20 };
    const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage },
      { type: 'message_stop' },
    ].map((data) => [data.type, data]);
  },

  aside({ path, body }) {
    if (path.endsWith('/count_tokens')) return { input_tokens: 100 };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const content = [{ type: 'text', text: 'ok' }];
    return {
      id: 'aside',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content,
      stop_reason: 'end_turn',
      usage,
    };
  },
};

function partsOf(content) {
  if (typeof content === 'string') return [{ text: content }];
  return content.flatMap((part) => {
    if (part.type === 'tool_result') return partsOf(part.content ?? '');
    return part.type === 'image' ? [{ picture: true }] : [{ text: part.text ?? '' }];
  });
}
