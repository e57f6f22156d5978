// What a model was shown of a mail with a picture, in a few words.

export const textOf = (parts) => parts.map(({ text = '' }) => text).join('\n');

export function shownMail(parts, words) {
  const text = textOf(parts);
  const times = text.split(words).length - 1;
  const hasJson = /\\?"messages\\?"\s*:/.test(text);
  const isText = times > (hasJson ? 1 : 0);
  const forms = [...(isText ? ['text'] : []), ...(hasJson ? ['JSON'] : [])];
  const hasLabel = /image \d+ of message /.test(text);
  const pictures = parts.filter(({ picture }) => picture).length;
  return [
    forms.length === 0 ? '**nothing**' : forms.join(' and '),
    hasLabel ? 'label' : '**no label**',
    pictures === 0 ? '**no picture**' : pictures === 1 ? 'picture' : `**${pictures} pictures**`,
    times > 1 ? `**${times} times**` : 'once',
  ].join(', ');
}

/** What the hub says to a wrong key, to none, and to the name of a variable that is not set. */
const hubWords = /does not know the key|needs a key, and the request has none|the name of a variable/;
const failure = /Failed to connect|Disconnected|failed/i;

/** What became of a refusal: on the model's side, and where a person looks, in `mcp list` and in the output of a run. */
export function shownRefusal({ model, status, run }) {
  const tools = model.includes('wait_for_mentions') ? '**has tools**' : 'no tools';
  const told = hubWords.test(model) ? ['the model is told why'] : [];
  const listed = hubWords.test(status)
    ? ['`mcp list` says why']
    : failure.test(status)
      ? ['`mcp list` says that it failed']
      : [];
  const printed = hubWords.test(run) ? ['the run prints why'] : [];
  const said = [...told, ...listed, ...printed];
  return [tools, ...(said.length === 0 ? ['**says nothing**'] : said)].join('; ');
}
