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
