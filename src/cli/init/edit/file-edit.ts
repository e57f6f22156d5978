// What init does to a file, as data: it is kept in the record of the user, so that it can be taken back.
import { vscodeKeyInput } from '../../../contract/connect/client-entries.js';
import { jsonAt, putInList, removeFromList, removeJson, setJson } from './json-edit.js';
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
      return putInList(text, edit.path, edit.value, isOurs);
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

/** What is left without our entries; undefined if that is nothing at all. */
export function removeEdits(text: string, edits: readonly FileEdit[]): string | undefined {
  const left = edits.reduce<string>(taken, text);
  return left.trim() === '' || /^\s*\{\s*\}\s*$/.test(left) ? undefined : left;
}

function taken(text: string, edit: FileEdit): string {
  if (text.trim() === '') return text;
  switch (edit.form) {
    case 'json':
      return withoutEmpty(removeJson(text, edit.path), edit.path.slice(0, -1));
    case 'json-item':
      return withoutEmpty(removeFromList(text, edit.path, isOurs), edit.path);
    case 'json-default':
      return text;
    case 'toml':
      return removeTomlTable(text, edit.table);
    case 'paragraph':
      return removeParagraph(text);
    case 'whole':
      return '';
  }
}

/** Objects and lists that are empty now mean the same as none. */
function withoutEmpty(text: string, path: readonly string[]): string {
  if (path.length === 0) return text;
  const value = jsonAt(text, path);
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? withoutEmpty(removeJson(text, path), path.slice(0, -1)) : text;
}

/** An item of a list that init writes, whatever its options are: a hook by its command, a question for the key by its id. */
function isOurs(item: unknown): boolean {
  if (typeof item === 'string') return item === vscodeKeyInput.id || isOurCommand(item);
  if (Array.isArray(item)) return item.some(isOurs);
  return typeof item === 'object' && item !== null && Object.values(item).some(isOurs);
}

function isOurCommand(line: string): boolean {
  return /coterie|cli[\\/]main\.js/.test(line) && / (?:wake|inbox --hook)(?: |$)/.test(line);
}
