// A text in which the reader's own name is marked.
import { me } from '../data/hub.js';
import { spellHidden } from './hidden-chars.js';

export function WithMentions({ text }: { text: string }) {
  const name = `@${me.value ?? ''}`;
  const [before = '', ...others] =
    me.value === undefined ? [text] : text.split(new RegExp(`${escaped(name)}(?![\\w-])`));
  return (
    <>
      {spellHidden(before)}
      {others.flatMap((part) => [<span class="mention mention-you">{name}</span>, ...spellHidden(part)])}
    </>
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
