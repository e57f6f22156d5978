// What all editors of a client's files share: a change of a text at a place, its line breaks, and why a file cannot be edited.

/** Replaces `text.slice(from, to)`. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The splices are in order and do not overlap; everything else stays byte for byte. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const splice of splices) {
    parts.push(text.slice(at, splice.from), splice.text);
    at = splice.to;
  }
  return parts.join('') + text.slice(at);
}

/** What is there cannot be edited in place. */
export class NotEditable extends Error {
  readonly line: number;

  constructor(problem: string, line: number) {
    super(problem);
    this.line = line;
  }
}

export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  return line;
}

/** That of the first line; a new file has the usual one. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';
}

export const byteOrderMark = '\ufeff';
