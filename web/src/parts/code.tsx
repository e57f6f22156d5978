// Code: left to right, wrapped, never cut off at the side; hidden characters are spelled out.
import { spellHidden } from './hidden-chars.js';

export function Code({ text, isNumbered = false }: { text: string; isNumbered?: boolean }) {
  return (
    <pre class={isNumbered ? 'code code-lines' : 'code'} dir="ltr" translate={false}>
      <code>
        {linesOf(text).map((line) => (
          <span class="l">{isNumbered ? words(line) : spellHidden(line)}</span>
        ))}
      </code>
    </pre>
  );
}

function linesOf(text: string): string[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Lines break between words only, so that "--force" is never torn after its dashes. */
function words(line: string) {
  return line.split(/( +)/).map((part) => (part.trim() === '' ? part : <span class="tok">{spellHidden(part)}</span>));
}
