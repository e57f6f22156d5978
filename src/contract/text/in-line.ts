// Callers' text inside the lines of a result. A name or a title must neither begin a line of its own nor open an
// element: a reader takes both for the hub's own words.

// Every character that a model or a terminal may read as a line break, and the other control characters.
const breaks = /[\p{Cc}\u2028\u2029]+/gu;
// Direction marks reorder a line, tag characters hide text in it.
const invisible = /[\p{Bidi_Control}\ufeff\u{e0000}-\u{e007f}]/gu;
const markup = /[<>]|&(?=#?\w{1,31};)/g;
const anyOfThese = /[\p{Cc}\u2028\u2029\p{Bidi_Control}\ufeff\u{e0000}-\u{e007f}<>&]/u;
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The text on one line, without control characters. For text that is escaped later. */
export function onOneLine(text: string): string {
  return anyOfThese.test(text) ? text.replaceAll(breaks, ' ').replaceAll(invisible, '') : text;
}

/** Any text of a caller as part of a line. An `&` stays, unless it would be read as an escape. */
export function inLine(text: string): string {
  if (!anyOfThese.test(text)) return text;
  return onOneLine(text).replaceAll(markup, (character) => entities[character] ?? character);
}

/** The beginning of a long text as part of a line. White space is one space each. */
export function startInLine(text: string, charsMax: number): string {
  // Twice as many, as white space shrinks; the rest of a long text is not read.
  const start = text
    .slice(0, 2 * charsMax)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isWhole = start.length <= charsMax && text.length <= 2 * charsMax;
  return inLine(isWhole ? start : `${start.slice(0, charsMax)}…`);
}

/** Text of several lines after a label. The lines after the first begin with a mark that no line of the hub has. */
export function inLines(text: string): string {
  return text.split(lineEnds).map(inLine).join(furtherLine);
}

/** The same for text that is escaped later. */
export function onMarkedLines(text: string): string {
  return text.split(lineEnds).map(onOneLine).join(furtherLine);
}

const furtherLine = '\n| ';

/** JSON as part of a line: the same value, in which nothing is markup or a line break to a reader. */
export function jsonInLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<\u007f-\u009f\u2028\u2029\p{Bidi_Control}\ufeff]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
