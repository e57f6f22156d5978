// How a tool call is laid out for a person: every argument, in lines, nothing left out.
import type { ToolCall } from '../../../src/contract/signal/signal.js';

/** One argument, or the whole input where it has none. */
export interface ShownPart {
  /** Empty for the argument that is the point of the call. */
  name: string;
  lines: string[];
}

export interface ShownCall {
  title: string;
  parts: ShownPart[];
  /** What the agent says the call is for. */
  claim: string | null;
  /** Lines of all parts. */
  lineCount: number;
}

/** The argument that is the point of a call, by the names that clients use. */
const mainNames = ['command', 'cmd', 'script', 'code', 'query', 'url'];
/** Said by the agent about the call; not carried out. */
const claimNames = ['description', 'justification'];

const titles: Readonly<Record<string, string>> = {
  bash: 'Run a shell command',
  shell: 'Run a shell command',
  exec_command: 'Run a shell command',
  run_shell_command: 'Run a shell command',
  write: 'Write a file',
  write_file: 'Write a file',
  edit: 'Change a file',
  multiedit: 'Change a file',
  apply_patch: 'Change files',
  webfetch: 'Read a web page',
  web_fetch: 'Read a web page',
};

export function titleOfCall({ tool }: ToolCall): string {
  const name = tool.toLowerCase();
  return Object.hasOwn(titles, name) ? (titles[name] ?? '') : `Use the tool ${tool}`;
}

export function showCall(call: ToolCall): ShownCall {
  const input = parse(call.input);
  const title = titleOfCall(call);
  const named = isRecord(input) ? Object.entries(input) : [];
  if (named.length === 0) return finish(title, [{ name: '', lines: linesOf(input ?? call.input) }], null);
  const main = mainNames.find((name) => named.some(([key, value]) => key === name && isTextual(value)));
  // Only beside a main argument: a tool may have an argument of this name that it carries out.
  const claim = main === undefined ? undefined : named.find(([key, value]) => isClaim(key, value));
  const parts = named
    .filter((entry) => entry !== claim)
    .map(([key, value]) => ({ name: key === main ? '' : key, lines: linesOf(value) }))
    .toSorted((a, b) => Number(b.name === '') - Number(a.name === ''));
  return finish(title, parts, claim === undefined ? null : String(claim[1]));
}

function finish(title: string, parts: ShownPart[], claim: string | null): ShownCall {
  return { title, parts, claim, lineCount: parts.reduce((sum, part) => sum + part.lines.length, 0) };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextual(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
}

function isClaim(key: string, value: unknown): boolean {
  return claimNames.includes(key) && typeof value === 'string';
}

function linesOf(value: unknown): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return text.split(/\r\n|\n/);
}

export interface Excerpt {
  parts: ShownPart[];
  /** Lines that are not in it, in whole or in part. */
  linesLeft: number;
}

/** The beginning of a call that is too long to be seen at once. */
export function beginningOf(call: ShownCall, linesMax: number, charactersMax: number): Excerpt {
  const parts: ShownPart[] = [];
  let lines = 0;
  let characters = 0;
  for (const part of call.parts) {
    const shown: string[] = [];
    for (const line of part.lines) {
      if (lines >= linesMax || characters >= charactersMax) break;
      const room = charactersMax - characters;
      shown.push(line.slice(0, room));
      characters += line.length;
      if (line.length > room) break;
      lines += 1;
    }
    if (shown.length > 0) parts.push({ name: part.name, lines: shown });
  }
  return { parts, linesLeft: call.lineCount - lines };
}
