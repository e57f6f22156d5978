// Sets and removes values in a JSON file in place: comments, order, spacing and everything else in it stay as they are.
import { isDeepStrictEqual } from 'node:util';
import { commaAfter, endOfText, memberOf, readJsonTree, valueOf, type JsonNode } from './json-tree.js';
import { lineAt, lineBreakOf, NotEditable, spliced, type Splice } from './text.js';

/** Keys of objects, and places in lists. */
export type Path = readonly (string | number)[];

/** Objects on the way to it are made if they are missing. */
export function setJson(text: string, path: Path, value: unknown): string {
  const start = text.trim() === '' ? `${text}{}${lineBreakOf(text)}` : text;
  const { node, rest } = walk(start, readJsonTree(start), path);
  if (rest.length === 0) return replaced(start, node, value);
  const [key = '', ...inner] = rest.map(String);
  const nested = inner.reduceRight((within: unknown, name) => ({ [name]: within }), value);
  return inserted(start, node, { key, value: nested });
}

/** As its last item; the list is made if it is missing. */
export function addToList(text: string, path: Path, value: unknown): string {
  const node = listAt(text, path);
  return node === undefined ? setJson(text, path, [value]) : inserted(text, node, { value });
}

export function removeJson(text: string, path: Path): string {
  const { node, rest } = walk(text, readJsonTree(text), path.slice(0, -1));
  const found = rest.length > 0 ? undefined : childOf(node, path.at(-1) ?? '');
  if (found === undefined) return text;
  const spans = node.items ?? (node.members ?? []).map(({ start, value }) => ({ start, end: value.end }));
  const own = spans.find(({ start, end }) => start <= found.start && found.end <= end);
  return own === undefined ? text : removedFrom(text, spans, own);
}

/** Undefined where there is none. */
export function jsonAt(text: string, path: Path): unknown {
  if (text.trim() === '') return undefined;
  const { node, rest } = walk(text, readJsonTree(text), path);
  return rest.length === 0 ? valueOf(node) : undefined;
}

function listAt(text: string, path: Path): JsonNode | undefined {
  if (text.trim() === '') return undefined;
  const { node, rest } = walk(text, readJsonTree(text), path);
  if (rest.length > 0) return undefined;
  if (node.items === undefined) throw mismatch(text, node, path, 'a list');
  return node;
}

function childOf(node: JsonNode, key: string | number): JsonNode | undefined {
  return typeof key === 'number' ? node.items?.[key] : memberOf(node, key)?.value;
}

/** As far as it exists; `rest` is the part of the path that does not. */
function walk(text: string, root: JsonNode, path: Path): { node: JsonNode; rest: Path } {
  let node = root;
  for (const [index, key] of path.entries()) {
    const wanted = typeof key === 'number' ? 'a list' : 'an object';
    if ((typeof key === 'number' ? node.items : node.members) === undefined)
      throw mismatch(text, node, path.slice(0, index), wanted);
    const child = childOf(node, key);
    if (child === undefined) return { node, rest: path.slice(index) };
    node = child;
  }
  return { node, rest: [] };
}

function mismatch(text: string, { start }: JsonNode, path: Path, wanted: string): NotEditable {
  const what = path.length === 0 ? 'the file' : `"${path.join('.')}"`;
  return new NotEditable(`${what} must be ${wanted}`, lineAt(text, start));
}

function replaced(text: string, node: JsonNode, value: unknown): string {
  if (isDeepStrictEqual(valueOf(node), value)) return text;
  const layout = layoutOf(text);
  const written = write(value, layout, isFlat(text, node) && layout.isFlat ? undefined : indentAt(text, node.start));
  return spliced(text, [{ from: node.start, to: node.end, text: written }]);
}

/** As the last one of an object or list. */
function inserted(text: string, node: JsonNode, { key, value }: { key?: string; value: unknown }): string {
  const layout = layoutOf(text);
  const children = node.members ?? node.items;
  if (children === undefined || (key !== undefined && node.members === undefined))
    throw mismatch(text, node, [], 'an object');
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const first = children[0];
  const last = children.at(-1);
  const lastEnd = last === undefined ? undefined : 'value' in last ? last.value.end : last.end;
  const comma = lastEnd === undefined ? undefined : commaAfter(text, lastEnd);
  const separator: Splice[] =
    lastEnd === undefined || comma !== undefined ? [] : [{ from: lastEnd, to: lastEnd, text: ',' }];
  const at = endOfText(text, node.end - 1);
  if (isFlat(text, node) && (layout.isFlat || last !== undefined)) {
    const space = last === undefined ? '' : ' ';
    return spliced(text, [...separator, { from: at, to: at, text: `${space}${name}${write(value, layout)}` }]);
  }
  const outer = indentAt(text, node.start);
  const indent = first === undefined || isFlat(text, node) ? outer + layout.unit : indentAt(text, first.start);
  const line = `${layout.lineBreak}${indent}${name}${write(value, layout, indent)}`;
  // Otherwise the bracket stands on a line of its own already.
  const end = text.slice(at, node.end - 1).includes('\n') ? '' : layout.lineBreak + outer;
  return spliced(text, [...separator, { from: at, to: at, text: line + end }]);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** With the space before it, and one comma. Comments stay. */
function removedFrom(text: string, spans: readonly Span[], own: Span): string {
  const from = startOfRemoval(text, own);
  const comma = commaAfter(text, own.end);
  if (comma !== undefined) {
    return spliced(text, [
      { from, to: own.end, text: '' },
      { from: comma, to: comma + 1, text: '' },
    ]);
  }
  const before = spans[spans.findIndex(({ start }) => start === own.start) - 1];
  const commaBefore = before === undefined ? undefined : commaAfter(text, before.end);
  const separator: Splice[] = commaBefore === undefined ? [] : [{ from: commaBefore, to: commaBefore + 1, text: '' }];
  // A comma that stands directly before it is part of what is removed anyway.
  const start = Math.max(from, commaBefore === undefined ? 0 : commaBefore + 1);
  return spliced(text, [...separator, { from: start, to: own.end, text: '' }]);
}

/** The line break before it stays if none follows: a comment at the end of that line must not go on. */
function startOfRemoval(text: string, own: Span): number {
  const from = endOfText(text, own.start);
  const lineBreak = text.slice(from, own.start).indexOf('\n');
  const rest = text.slice(text[own.end] === ',' ? own.end + 1 : own.end);
  return lineBreak === -1 || /^[ \t]*\r?\n/.test(rest) ? from : from + lineBreak + 1;
}

interface Layout {
  readonly lineBreak: string;
  readonly unit: string;
  /** All on one line. */
  readonly isFlat: boolean;
}

function layoutOf(text: string): Layout {
  const root = readJsonTree(text);
  const first = root.members?.[0] ?? root.items?.[0];
  const isOnOwnLine = first !== undefined && text.slice(root.start, first.start).includes('\n');
  const unit = isOnOwnLine ? indentAt(text, first.start) : '';
  return {
    lineBreak: lineBreakOf(text),
    unit: unit === '' ? '  ' : unit,
    isFlat: first !== undefined && isFlat(text, root),
  };
}

const isFlat = (text: string, { start, end }: JsonNode) => !text.slice(start, end).includes('\n');

/** The space at the start of the line in which `at` stands. */
function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  let end = start;
  while (text[end] === ' ' || text[end] === '\t') end += 1;
  return text.slice(start, end);
}

/** Without an indent, on one line. */
function write(value: unknown, { unit, lineBreak }: Layout, indent?: string): string {
  if (indent === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', lineBreak + indent);
}
