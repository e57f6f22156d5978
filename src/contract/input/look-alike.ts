// Names that a reader takes for `system`, which is the hub. Small on purpose: only the letters of that word.
import { systemAgentId } from '../ids.js';

/** Characters that look like a letter, after compatibility forms, accents and case are gone. */
const lookAlikes: Readonly<Record<string, string>> = {
  s: '5$§ѕꜱʂꞩƽᏚꓢ',
  y: '¥уүγυʏყɣỿᎽꓬ',
  t: '7†тτᴛƭŧᎢꓔ',
  e: '3єеҽεᴇ℮ɛəᎬꓰ',
  m: 'мμᴍɱᎷꓟ',
};

const letterOf = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    Array.from(others).flatMap((other) => [other, other.toLowerCase()].map((form) => [form, letter] as const)),
  ),
);

/** Letters in circles, squares and flags, which have no compatibility form. */
const letterRanges = [0x1f150, 0x1f170, 0x1f1e6];

/** True for `System`, `ѕуѕtem`, `s y s t e m` and the like. Names have at most a hundred characters. */
export function looksLikeSystem(name: string): boolean {
  const plain = name.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}\p{Cc}\p{Z}]+/gu, '');
  const letters = Array.from(plain, letterLike).join('');
  return letters.replaceAll(/[^\p{L}\p{N}]+/gu, '').replaceAll('rn', 'm') === systemAgentId;
}

function letterLike(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const start = letterRanges.find((first) => code >= first && code < first + 26);
  if (start !== undefined) return String.fromCodePoint(0x61 + code - start);
  const lower = character.toLowerCase();
  return letterOf.get(lower) ?? lower;
}
