// The OpenAI Chat Completions API, as OpenCode and Copilot speak it.

export const openaiChat = {
  isTurn: ({ path, body }) => path.endsWith('/chat/completions') && (body.tools ?? []).length > 1,

  shownIn({ messages }) {
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    return messages.slice(last + 1).flatMap(({ content }) => partsOf(content));
  },

  answer({ model }, { text, call }, id) {
    const tool = call && { name: call.name, arguments: JSON.stringify(call.input) };
    const calls = tool && { tool_calls: [{ index: 0, id, type: 'function', function: tool }] };
    const base = { id, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1000), model };
    const chunk = (delta, finish_reason) => ({ ...base, choices: [{ index: 0, delta, finish_reason }] });
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
    return [
      chunk({ role: 'assistant', content: text ?? null, ...calls }, null),
      chunk({}, call === undefined ? 'stop' : 'tool_calls'),
      { ...base, choices: [], usage },
      '[DONE]',
    ].map((data) => [null, data]);
  },

  aside({ path, body }) {
    if (!path.endsWith('/chat/completions')) return { object: 'list', data: [] };
    const message = { role: 'assistant', content: 'ok' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return { id: 'aside', object: 'chat.completion', created: 0, model: body.model, choices, usage };
  },
};

function partsOf(content) {
  if (typeof content === 'string') return [{ text: content }];
  return (content ?? []).map((part) => (part.type === 'image_url' ? { picture: true } : { text: part.text ?? '' }));
}
