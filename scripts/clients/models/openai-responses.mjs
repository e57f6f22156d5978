// The OpenAI Responses API, as Codex speaks it.

export const openaiResponses = {
  isTurn: ({ path, body }) => path.endsWith('/responses') && (body.tools ?? []).length > 1,

  shownIn({ input }) {
    const last = input.findLastIndex(({ type }) => type === 'function_call');
    return input.slice(last + 1).flatMap((item) => partsOf(item.output ?? item.content ?? ''));
  },

  answer({ model }, { text, call }, id) {
    const item =
      call === undefined
        ? {
            type: 'message',
            id,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          }
        : {
            type: 'function_call',
            id,
            call_id: id,
            ...call.place,
            name: call.name,
            arguments: JSON.stringify(call.input),
            status: 'completed',
          };
    const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
    const response = { id, object: 'response', model, status: 'completed', output: [item], usage };
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ].map((data) => [data.type, data]);
  },

  aside: () => ({ object: 'list', data: [], models: [] }),
};

function partsOf(content) {
  if (typeof content === 'string') return [{ text: content }];
  return content.map((part) => (part.type === 'input_image' ? { picture: true } : { text: part.text ?? '' }));
}
