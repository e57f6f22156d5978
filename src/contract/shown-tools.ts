// The tools that an MCP connection lists. Others can be called too, but whoever reads of one has to be told so.
import { HubError } from './errors.js';
import { nearest } from './input/nearest.js';
import { mayCall, type KeyCapability } from './operation.js';
import { operationCalled, operationList } from './operations/index.js';

export interface ShownTools {
  readonly names: ReadonlySet<string>;
  /** What the caller's key allows; undefined in open mode, where everything is. */
  readonly held?: ReadonlySet<KeyCapability>;
  /** How this caller gets all of them listed. */
  readonly listAll: string;
}

/** `requested`: null for the default profile, `all`, or comma-separated names. */
export function shownTools(requested: string | null, listAll: string): ShownTools {
  const asked = requested === null ? undefined : new Set(requested.split(',').map((name) => name.trim()));
  const isShown = (name: string, inDefaultProfile: boolean) =>
    asked === undefined ? inDefaultProfile : asked.has('all') || asked.has(name);
  const shown = operationList.filter(({ name, inDefaultProfile }) => isShown(name, inDefaultProfile));
  return { names: new Set(shown.map(({ name }) => name)), listAll };
}

/** Those of the tools that the key may call, in the same order. */
export function shownToKey(shown: ShownTools, held: ReadonlySet<KeyCapability>): ShownTools {
  const names = [...shown.names].filter((name) => isAllowed(name, held));
  return { ...shown, names: new Set(names), held };
}

function isAllowed(name: string, held: ReadonlySet<KeyCapability> | undefined): boolean {
  const operation = operationCalled(name);
  return operation === undefined || held === undefined || mayCall(operation, held);
}

/** Adds to a sentence of the hub how to see the tools it names. The tool that was `called` is known to the caller. */
export function explainTools(sentence: string, { names, listAll, held }: ShownTools, called: string): string {
  const isHidden = (word: string) => word !== called && operationCalled(word) !== undefined && !names.has(word);
  const hidden = new Set(sentence.split(/[^a-z_]/).filter(isHidden));
  if (hidden.size === 0) return sentence;
  const allowed = [...hidden].filter((name) => isAllowed(name, held));
  const others = [...hidden].filter((name) => !isAllowed(name, held));
  const notes = [
    allowed.length > 0 ? `${listed(allowed)} not in your tool list, but can be called. ${listAll}` : '',
    others.length > 0 ? `${listed(others)} not allowed with your key; ask an administrator.` : '',
  ];
  return `${sentence} (${notes.filter((note) => note !== '').join(' ')})`;
}

function listed(names: readonly string[]): string {
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
}

/** The hint of an error, for a caller that sees these tools. */
export function explainError(error: HubError, shown: ShownTools, called: string): HubError {
  const hint = explainTools(error.hint, shown, called);
  if (hint === error.hint) return error;
  return new HubError(error.code, error.message, { hint, details: error.details, cause: error.cause });
}

/** `listAll` says where all names are. */
export function operationUnknown(name: string, listAll: string): HubError {
  const near = nearestOperation(name.slice(0, 64));
  return new HubError('OPERATION_UNKNOWN', `There is no operation '${name.slice(0, 64)}'.`, {
    hint: near === undefined ? listAll : `Did you mean ${near}? ${listAll}`,
    details: { nearest: near ?? null },
  });
}

/** By its letters, else by the most words in common with name and summary: `read_inbox` is get_messages. */
function nearestOperation(given: string): string | undefined {
  const [near] = nearest(
    given,
    operationList.map(({ name }) => name),
  );
  if (near !== undefined) return near;
  const words = wordsOf(given);
  let best: string | undefined;
  let most = 0;
  for (const { name, summary } of operationList) {
    const known = wordsOf(`${name} ${summary}`);
    const common = [...words].filter((word) => known.has(word)).length;
    if (common > most) [best, most] = [name, common];
  }
  return best;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z]{3,}/g));
}
