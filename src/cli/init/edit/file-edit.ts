// What init does to a file, as data: it is kept in the record of the user, so that it can be taken back.
import { vscodeKeyInput } from '../../../contract/connect/client-entries.js';
import { addToList, jsonAt, removeJson, setJson, type Path } from './json-edit.js';
import { removeParagraph, setParagraph } from './paragraph.js';
import { removeTomlTable, setTomlTable, type TomlTable } from './toml-edit.js';

export type FileEdit =
  | { readonly form: 'json'; readonly path: readonly string[]; readonly value: unknown }
  /** An item of a list, such as a hook. */
  | { readonly form: 'json-item'; readonly path: readonly string[]; readonly value: unknown }
  /** Of a file's own format, set only where it is missing. */
  | { readonly form: 'json-default'; readonly path: readonly string[]; readonly value: unknown }
  | { readonly form: 'toml'; readonly table: TomlTable }
  | { readonly form: 'paragraph'; readonly text: string }
  /** The file is ours alone. */
  | { readonly form: 'whole'; readonly text: string };

export function applyEdits(text: string, edits: readonly FileEdit[]): string {
  return edits.reduce(applied, text);
}

function applied(text: string, edit: FileEdit): string {
  switch (edit.form) {
    case 'json':
      return setJson(text, edit.path, edit.value);
    case 'json-item':
      return withItem(text, edit);
    case 'json-default':
      return jsonAt(text, edit.path) === undefined ? setJson(text, edit.path, edit.value) : text;
    case 'toml':
      return setTomlTable(text, edit.table);
    case 'paragraph':
      return setParagraph(text, edit.text);
    case 'whole':
      return edit.text;
  }
}

/** What is left without our entries, and with those that they replaced; undefined if that is nothing at all. */
export function removeEdits(text: string, edits: readonly FileEdit[], original: string | null): string | undefined {
  const left = edits.reduce<string>((rest, edit) => taken(rest, edit, original ?? ''), text);
  return left.trim() === '' || /^\s*\{\s*\}\s*$/.test(left) ? undefined : left;
}

function taken(text: string, edit: FileEdit, original: string): string {
  if (text.trim() === '') return text;
  switch (edit.form) {
    case 'json': {
      const replaced = jsonAt(text, edit.path) === undefined ? undefined : jsonAt(original, edit.path);
      if (replaced !== undefined) return setJson(text, edit.path, replaced);
      return withoutEmpty(removeJson(text, edit.path), edit.path.slice(0, -1));
    }
    case 'json-item': {
      const [place] = ownItems(original, edit);
      const [first, ...others] = ownItems(text, edit);
      if (place === undefined || first === undefined) return withoutItems(text, ownItems(text, edit));
      return setJson(withoutItems(text, others), first, jsonAt(original, place));
    }
    case 'json-default':
      return text;
    case 'toml':
      return removeTomlTable(text, edit.table, original);
    case 'paragraph':
      return removeParagraph(text);
    case 'whole':
      return '';
  }
}

/** Objects and lists that are empty now mean the same as none. */
function withoutEmpty(text: string, path: Path): string {
  if (path.length === 0) return text;
  const value = jsonAt(text, path);
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? withoutEmpty(removeJson(text, path), path.slice(0, -1)) : text;
}

type ItemEdit = Extract<FileEdit, { form: 'json-item' }>;

/** In the place of the first of ours; further ones are removed. What else is in its group stays. */
function withItem(text: string, edit: ItemEdit): string {
  const [first, ...others] = ownItems(text, edit);
  if (first === undefined) return addToList(text, edit.path, edit.value);
  const isInGroup = first.length > edit.path.length + 1;
  return setJson(withoutItems(text, others), first, isInGroup ? (hooksIn(edit.value)?.[0] ?? edit.value) : edit.value);
}

/** The last one first: the places of those before it stay. A group that has no hook now goes with it. */
function withoutItems(text: string, items: readonly Path[]): string {
  return items.toReversed().reduce<string>((left, path) => {
    const removed = removeJson(left, path);
    const list = path.slice(0, -1);
    const isGroup = typeof list.at(-2) === 'number' && hooksIn(jsonAt(removed, list.slice(0, -1)))?.length === 0;
    return isGroup ? withoutItems(removed, [list.slice(0, -1)]) : withoutEmpty(removed, list);
  }, text);
}

/** Where the items of a list stand that init writes, whatever their options are: hooks, also those in a group, or a question for the key. */
function ownItems(text: string, { path, value }: ItemEdit): Path[] {
  const list = jsonAt(text, path);
  const written = [value, ...(hooksIn(value) ?? [])].map(commandOf);
  const isOurs = (item: unknown) => {
    const command = commandOf(item);
    return command === undefined ? isKeyInput(item) : written.includes(command) || isOurCommand(command);
  };
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, at): Path[] => {
    if (isOurs(item)) return [[...path, at]];
    return (hooksIn(item) ?? []).flatMap((hook, index) => (isOurs(hook) ? [[...path, at, 'hooks', index]] : []));
  });
}

function hooksIn(item: unknown): unknown[] | undefined {
  if (typeof item !== 'object' || item === null || !('hooks' in item)) return undefined;
  return Array.isArray(item.hooks) ? item.hooks : undefined;
}

function commandOf(item: unknown): string | undefined {
  const hasCommand = typeof item === 'object' && item !== null && 'command' in item;
  return hasCommand && typeof item.command === 'string' ? item.command : undefined;
}

function isKeyInput(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'id' in item && item.id === vscodeKeyInput.id;
}

const word = String.raw`(?:[\w@%+=:,./~-]|'[^']*'|"[^"]*"|\\.)+`;
const ourLine = new RegExp(`^(coterie|node ${word}) inbox --hook(?: --(?:as|url|data|key-file) ${word})*$`);

/** As init writes it, now or in earlier versions. A line of a person that does more is theirs. */
function isOurCommand(line: string): boolean {
  const [, program = ''] = ourLine.exec(line) ?? [];
  return program === 'coterie' || /cli[\\/]main\.js['"]?$/.test(program);
}
