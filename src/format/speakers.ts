// By which name each speaker goes in a text that several share. A name is what its owner chose, so it may neither end
// its own mark nor be somebody else's.
import type { Said } from './said.js';

/** Who speaks when no agent does. Nobody else may open a line with one of these. */
const roleWords = [
  ...['system', 'developer', 'user', 'human', 'assistant', 'model', 'ai', 'tool', 'function', 'unknown'],
];

/** Names that differ only in case, width, spaces, invisible characters or what stands around them are one name. */
function sameName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}

export interface Speakers {
  /** What stands before the colon. */
  markOf(said: Said): string;
  /** True for every name that opens a line, or might. */
  isSpeaker(name: string): boolean;
}

export interface SpeakersOptions {
  /** Further names nobody may speak under: members who have not said anything here. */
  readonly others?: readonly string[];
  /** For a message without a name. */
  readonly nameless: (role: Said['role']) => string;
}

export function gatherSpeakers(all: readonly Said[], { others = [], nameless }: SpeakersOptions): Speakers {
  const known = new Set([...roleWords, ...others.map(sameName)]);
  const owners = new Map<string, Set<string>>();
  for (const { name, sender } of all) {
    for (const word of [name, sender]) {
      if (word === undefined) continue;
      const same = sameName(word);
      known.add(same);
      if (sender !== undefined) owners.set(same, (owners.get(same) ?? new Set()).add(sender));
    }
  }
  known.delete('');
  const isClaimed = (name: string, sender: string) => {
    const same = sameName(name);
    const senders = owners.get(same)?.size ?? 0;
    return (
      senders > 1 ||
      (same !== sameName(sender) && (roleWords.includes(same) || others.some((other) => sameName(other) === same)))
    );
  };
  return {
    isSpeaker: (name) => known.has(sameName(name)),
    markOf({ name, sender, role }) {
      const plain = name === undefined ? '' : inMark(name);
      if (sameName(plain) === '') return sender === undefined ? nameless(role) : inMark(sender);
      if (sender === undefined || name === sender || !isClaimed(plain, sender)) return plain;
      return `${plain} (${inMark(sender)})`;
    },
  };
}

/** On one line, without what ends a mark. */
function inMark(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[[［【]/g, '(')
    .replaceAll(/[\]］】]/g, ')')
    .replaceAll(/[:：<>\\]/g, '')
    .trim()
    .slice(0, 100);
}
