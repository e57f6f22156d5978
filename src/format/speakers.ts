// The label of each speaker in a shared text. Agents choose their own names, so a name must neither end its label early
// nor equal another speaker's.
import type { TurnMessage } from './turn.js';

/** Labels of messages without an agent. No text may begin a line with one. */
const roleNames = ['system', 'developer', 'user', 'human', 'assistant', 'model', 'ai', 'tool', 'function', 'unknown'];

/** Names that differ only in case, width, spaces, invisible or surrounding characters are equal. */
function normalizeName(name: string): string {
  const visible = name.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  return lettersAndBetween(visible).replaceAll(/\s+/g, ' ').toLowerCase();
}

/** From the first letter or digit to the last. A pattern that ends in `+$` would start again at every character. */
function lettersAndBetween(text: string): string {
  let start = -1;
  let end = 0;
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (start < 0) start = index;
    end = index + run.length;
  }
  return start < 0 ? '' : text.slice(start, end);
}

export interface Speakers {
  /** The text before the colon. */
  labelOf(message: TurnMessage): string;
  /** True for every name that is or may be used as a label. */
  isSpeaker(name: string): boolean;
}

export interface SpeakersOptions {
  /** More names that nobody may impersonate: members without messages. */
  readonly others?: readonly string[];
  /** For a message without a name. */
  readonly fallbackName: (role: TurnMessage['role']) => string;
}

export function collectSpeakers(all: readonly TurnMessage[], { others = [], fallbackName }: SpeakersOptions): Speakers {
  // Few names speak in many messages.
  const normals = new Map<string, string>();
  const normalOf = (label: string) => {
    const normal = normals.get(label) ?? normalizeName(label);
    normals.set(label, normal);
    return normal;
  };
  const notOwn = new Set([...roleNames, ...others.map(normalOf)]);
  const known = new Set(notOwn);
  const owners = new Map<string, Set<string>>();
  for (const { name, sender } of all) {
    for (const label of [name, sender]) {
      if (label === undefined) continue;
      const normalized = normalOf(label);
      known.add(normalized);
      if (sender !== undefined) owners.set(normalized, (owners.get(normalized) ?? new Set()).add(sender));
    }
  }
  known.delete('');
  const isAmbiguous = (name: string, sender: string) => {
    const normalized = normalOf(name);
    const senders = owners.get(normalized)?.size ?? 0;
    return senders > 1 || (normalized !== normalOf(sender) && notOwn.has(normalized));
  };
  return {
    isSpeaker: (name) => known.has(normalizeName(name)),
    labelOf({ name, sender, role }) {
      const plain = name === undefined ? '' : safeLabel(name);
      if (normalOf(plain) === '') return sender === undefined ? fallbackName(role) : safeLabel(sender);
      if (sender === undefined || name === sender || !isAmbiguous(plain, sender)) return plain;
      return `${plain} (${safeLabel(sender)})`;
    },
  };
}

/** One line, without characters that could end a label. */
function safeLabel(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[[［【]/g, '(')
    .replaceAll(/[\]］】]/g, ')')
    .replaceAll(/[:：<>\\]/g, '')
    .trim()
    .slice(0, 100);
}
