// Escapes agents' text, so that it cannot close or forge an element.
import { onOneLine } from './in-line.js';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** The value of an attribute: also on one line. */
export function inAttribute(text: string): string {
  return escapeXml(onOneLine(text));
}
