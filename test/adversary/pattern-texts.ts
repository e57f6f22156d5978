// Texts that make a regular expression slow, derived from the expression itself, and how its time grows with them.
import { processorMs } from '../support/processor-time.js';

interface Atom {
  /** Text that it matches, in a few forms. */
  samples: string[];
  isOptional: boolean;
}

const pool = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  '\n',
  '\r',
  '\t',
  '\0',
  '\x7f',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\u200b',
  '\u202e',
  '\ufeff',
  'é',
  '\u0301',
  '：',
  '［',
  '］',
  '漢',
  '😀',
  '\ud800',
];

/** A flat reader of patterns: it follows one alternative of each group, and takes the others in further rounds. */
class PatternReader {
  readonly #source: string;
  readonly #flags: string;
  readonly #round: number;
  #at = 0;

  constructor({ source, flags }: RegExp, round: number) {
    this.#source = source;
    this.#flags = flags.replaceAll(/[gy]/g, '');
    this.#round = round;
  }

  read(): Atom[] {
    const alternatives: Atom[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at += 1;
        alternatives.push([]);
      } else alternatives.at(-1)?.push(...this.#term());
    }
    return alternatives[this.#round % alternatives.length] ?? [];
  }

  #term(): Atom[] {
    const one = this.#source[this.#at] ?? '';
    if (one === '^' || one === '$') {
      this.#at += 1;
      return [];
    }
    const atoms = one === '(' ? this.#group() : this.#single();
    const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at));
    if (quantifier === null) return atoms;
    this.#at += quantifier[0].length;
    const isOptional = /^[*?]|^\{0/.test(quantifier[0]);
    const least = Math.min(70, Number(quantifier[1] ?? 1));
    const repeated = (each: string) => each.repeat(Math.max(1, least));
    return atoms.map(({ samples }) => ({ samples: samples.map(repeated), isOptional }));
  }

  #group(): Atom[] {
    const [head = '('] = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += head.length;
    const atoms = this.read();
    this.#at += 1;
    return head.endsWith('!') ? [] : atoms;
  }

  #single(): Atom[] {
    const rest = this.#source.slice(this.#at);
    const [atom = ''] =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[^]|[^])/u.exec(
        rest,
      ) ?? [];
    this.#at += atom.length;
    if (/^\\[bB]$/.test(atom)) return [];
    const matcher = new RegExp(`^(?:${atom})$`, this.#flags);
    const matching = pool.filter((character) => matcher.test(character));
    const samples =
      matching.length > 0
        ? [matching[0] ?? '', matching.at(-1) ?? '', ...matching.filter((each) => /[a: !./]/.test(each))]
        : [atom];
    return [{ samples: [...new Set(samples)].slice(0, 3), isOptional: false }];
  }
}

/** What can be repeated, between what comes before it and what comes after it. */
export interface Attack {
  before: string;
  pump: string;
  after: string;
}

const afters = ['\u0001', '\n!', 'x'];

export function attacksOn(pattern: RegExp): Attack[] {
  const attacks = new Map<string, Attack>();
  const add = (before: string, pump: string) => {
    if (pump === '') return;
    for (const after of afters) attacks.set(JSON.stringify([before, pump, after]), { before, pump, after });
  };
  for (let round = 0; round < 3; round += 1) {
    const atoms = new PatternReader(pattern, round).read();
    const sample = (from: number, to: number) =>
      atoms
        .slice(from, to)
        .map(({ samples }) => samples[0] ?? '')
        .join('');
    for (const [index, { samples }] of atoms.entries()) {
      for (const each of samples) {
        add('', each);
        add(sample(0, index), each);
        add(sample(0, index + 1), each);
      }
    }
    for (let from = 0; from < Math.min(atoms.length, 10); from += 1) {
      for (let to = from + 2; to <= Math.min(atoms.length, from + 8); to += 1) {
        add('', sample(from, to));
        add(sample(0, from), sample(from, to));
      }
    }
    // The parts that must be there alone, one after the other.
    add(
      '',
      atoms
        .filter(({ isOptional }) => !isOptional)
        .map(({ samples }) => samples.at(-1) ?? '')
        .join(''),
    );
  }
  return [...attacks.values()];
}

/** Longer for a long pump, of which the same text holds fewer. */
export function textOf({ before, pump, after }: Attack, chars: number): string {
  return before + pump.repeat(Math.ceil((pump.length < 3 ? chars : 2 * chars) / pump.length)) + after;
}

const floorMs = 10;
const sizes = [24, 400, 12_000];

/** The attack by which a search grows faster than the text; undefined if there is none. */
export function slowAttack(pattern: RegExp, attacks: readonly Attack[]): string | undefined {
  const everywhere = new RegExp(pattern, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`);
  const msOf = (text: string) => processorMs(() => text.replace(everywhere, ''));
  for (const attack of attacks) {
    // Small sizes first: an exponential pattern would not end at the large ones.
    const slow = sizes.find((size) => msOf(textOf(attack, size)) > floorMs);
    if (slow !== undefined && growth(attack, slow, msOf) > 3) return JSON.stringify(attack);
  }
  return undefined;
}

/** How much longer twice the text takes, at best of a few; 0 when the first measurement was a pause of the machine. */
function growth(attack: Attack, chars: number, msOf: (text: string) => number): number {
  const best = (text: string) => Math.min(...[1, 2, 3, 4].map(() => msOf(text)));
  const whole = best(textOf(attack, chars));
  if (whole < floorMs / 2) return 0;
  // So long for so short a text is exponential growth already.
  return chars < 1_000 ? Infinity : whole / best(textOf(attack, chars / 2));
}
