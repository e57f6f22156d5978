// Characters that a reader does not see but a machine obeys: spelled out, so that a text is what it looks like.
import type { ComponentChildren } from 'preact';

// Controls but tab and line feed, soft hyphen, zero-width and bidi characters, variation selectors beyond the emoji one,
// tags, line and paragraph separator, byte order mark, Hangul and Mongolian fillers.
const hidden =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

export function spellHidden(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { index, 0: char } of text.matchAll(hidden)) {
    if (index > end) parts.push(text.slice(end, index));
    parts.push(<span class="hidden-char">{codeOf(char)}</span>);
    end = index + char.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** The same for a place that takes only text. */
export function spelled(text: string): string {
  return text.replaceAll(hidden, codeOf);
}

function codeOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
