// The Gemini API, as Gemini CLI speaks it.

export const gemini = {
  isTurn: ({ path, body }) => /generateContent$/i.test(path) && declarationsIn(body).length > 1,

  shownIn({ contents }) {
    const last = contents.findLastIndex(({ role }) => role === 'model');
    return contents.slice(last + 1).flatMap(({ parts }) => parts.flatMap(partOf));
  },

  answer(_body, { text, call }) {
    const part = call === undefined ? { text } : { functionCall: { name: call.name, args: call.input } };
    return [[null, responseOf(part)]];
  },

  aside({ path }) {
    if (path.endsWith(':countTokens')) return { totalTokens: 100 };
    // Its questions about the turn want JSON; it takes any that has the fields.
    const verdict = { reasoning: 'ok', model_choice: 'flash', next_speaker: 'user', complexity_score: 10 };
    return responseOf({ text: JSON.stringify({ ...verdict, complexity_reasoning: 'ok' }) });
  },
};

function declarationsIn({ tools = [] }) {
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
}

function responseOf(part) {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: 'scripted',
  };
}

/** A picture may stand beside its function's response or inside it. */
function partOf({ text, inlineData, functionResponse }) {
  if (inlineData !== undefined) return [{ picture: true }];
  if (functionResponse === undefined) return [{ text: text ?? '' }];
  const { response, parts = [] } = functionResponse;
  const output = typeof response?.output === 'string' ? response.output : JSON.stringify(response);
  return [{ text: output }, ...parts.flatMap(partOf)];
}
