// Finds @id in a text: at the start of a word, outside code.

const fences = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const mention = /(?<=^|[\s([{"'>,;:!?-])@([A-Za-z0-9][A-Za-z0-9._-]{0,63})/g;

/** The ids written after an @, each once, in order. A trailing dot or dash belongs to the sentence. */
export function mentionsIn(text: string): string[] {
  if (!text.includes('@')) return [];
  const found = new Set<string>();
  for (const match of text.replace(fences, ' ').matchAll(mention)) {
    const id = match[1]?.replace(/[._-]{1,63}$/, '');
    if (id !== undefined && id !== '') found.add(id);
  }
  return [...found];
}
