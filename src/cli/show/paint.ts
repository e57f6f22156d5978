// Colours: on a terminal unless NO_COLOR is set, everywhere with FORCE_COLOR.

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof codes;
export type Paint = (style: Style, text: string) => string;

function usesColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

function painterFor(stream: { isTTY?: boolean }): Paint {
  if (!usesColour(stream, process.env)) return (_, text) => text;
  return (style, text) => {
    const [on, off] = codes[style];
    return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;
  };
}

/** For stdout. */
export const paint: Paint = painterFor(process.stdout);
/** For stderr. */
export const paintError: Paint = painterFor(process.stderr);

const senderStyles: readonly Style[] = ['cyan', 'green', 'magenta', 'yellow'];

/** An agent always has the same colour, chosen by a hash (FNV-1a) of its id. */
export function paintSender(id: string, text: string): string {
  let mixed = 0x811c9dc5;
  for (const character of id) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return paint(senderStyles[(mixed >>> 8) % senderStyles.length] ?? 'cyan', text);
}
