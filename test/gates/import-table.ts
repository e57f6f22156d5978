// Who may import whom: the one home of the rule. A test and not a lint rule, because oxlint's no-restricted-imports
// compares the words of a specifier and not the file it leads to: '../' means another folder at every depth.
import { posix } from 'node:path';

interface Room {
  /** Files of ours it may import besides its own folder; a star at the end stands for any ending. */
  readonly imports: readonly string[];
  /** Packages and `node:` modules it may import; any, when absent. */
  readonly packages?: readonly string[];
}

const anything: Room = { imports: ['*'] };

// Functions of their arguments alone: the store runs them inside its transaction, others may ask them too.
const deciders = [
  'message/send/route.ts',
  'message/send/loop-guard.ts',
  'message/receipts/receipt-text.ts',
  'message/send/system-plan.ts',
  'notify/digest.ts',
  'notify/notice.ts',
  'notify/templates.ts',
  'notify/receives-notice.ts',
  'message/send/wakes.ts',
  'message/inbox/view.ts',
  'message/history/search-*',
  'message/history/decide-*',
  'message/receipts/decide-*',
  'message/send/decide-*',
  'message/wait/decide-*',
  'thread/decide-*',
  'access/decide-*',
  'access/audit-entry.ts',
  'session/decide-*',
  'agent/decide-*',
  'notify/decide-*',
  'thread/visibility.ts',
  'group/decide-*',
  'session/transfer/decide-*',
  'signal/decide-*',
  'signal/pair/decide-*',
  'wake/decide-*',
];

const useCases = [
  'access/*',
  'message/*',
  'thread/*',
  'agent/*',
  'group/*',
  'session/*',
  'signal/*',
  'format/*',
  'notify/*',
  'wake/*',
];

const useCase: Room = {
  imports: ['contract/*', 'ports/*', 'access/audit-*', 'message/send/mentions.ts', ...deciders],
};
const store: Room = {
  imports: [
    'contract/*',
    'ports/*',
    'store/apply-migrations.ts',
    'store/fair-queue.ts',
    'store/rows/*',
    'store/rules/*',
    'store/sql/*',
    ...deciders,
  ],
};

// A file belongs to the row with the longest name that leads its path.
const rooms: Readonly<Record<string, Room>> = {
  'contract/': { imports: [], packages: ['zod'] },
  'ports/': { imports: ['contract/*'] },

  'access/': useCase,
  'message/': useCase,
  'thread/': useCase,
  'agent/': useCase,
  'group/': useCase,
  'session/': useCase,
  'signal/pair/': { imports: [...useCase.imports, 'access/*', 'signal/envelope/*'] },
  // Pure, and part of the SDK: runs in browsers too.
  'format/': { imports: ['contract/*'], packages: [] },
  'notify/': useCase,
  'signal/push/': useCase,
  // Seals and opens beside the agent, in the hub and in the page: runs in browsers too.
  'signal/seal/': { imports: ['contract/*', 'ports/*', 'signal/envelope/*'] },
  'signal/envelope/': { imports: ['contract/signal/*'], packages: ['hpke'] },
  // Its waits read and park as all others do.
  'signal/': { imports: [...useCase.imports, 'message/wait/*'] },

  // Its waits park as all others do; webhooks are checked and signed as pushes are; people are asked as agents ask.
  'wake/': { imports: [...useCase.imports, 'message/wait/*', 'signal/push/*', 'signal/ask.ts', 'signal/ports.ts'] },

  'dispatch/': { imports: ['contract/*', 'ports/*', ...useCases] },

  'store/apply-migrations.ts': { imports: ['contract/*', 'ports/*'] },
  'store/fair-queue.ts': { imports: [], packages: [] },
  // Functions of their arguments alone; the SQL stays with each store.
  'store/rows/': { imports: ['contract/*', 'ports/*', ...deciders], packages: [] },
  // What both stores decide, over statements that each has for itself.
  'store/rules/': { imports: ['contract/*', 'ports/*', 'store/rows/*', 'store/sql/*', ...deciders], packages: [] },
  // Statements that both databases run as they stand.
  'store/sql/': { imports: ['contract/*', 'ports/*', 'store/rows/*', 'store/rules/*', ...deciders], packages: [] },
  'store/sqlite/': store,
  'store/postgres/': store,
  // From one store to the other.
  'store/migrate/': { imports: ['contract/*', 'ports/*', 'store/*'] },
  'wakeup/': { imports: ['ports/*'] },
  // The real clock, ids, log and metrics behind their ports.
  'runtime/': { imports: ['contract/*', 'ports/*'] },

  'http/': { imports: ['contract/*', 'dispatch/*', 'ports/*'] },
  'mcp/': { imports: ['contract/*', 'dispatch/*', 'ports/*', 'http/*'] },

  // Runs in browsers too, so nothing of Node.
  'client/': { imports: ['contract/*', 'format/*', 'signal/envelope/*'], packages: ['zod'] },
  // Part of the SDK for Node: the only room that opens files for a message.
  'files/': { imports: ['contract/*', 'signal/envelope/*'] },
  'bridge/': { imports: ['client/*', 'contract/*', 'files/*', 'mcp/*'] },

  'cli/': anything,
  'compose.ts': anything,
  'config.ts': anything,
  'config/': { imports: ['contract/*', 'ports/*'] },
  'handlers.ts': anything,
  'wire.ts': anything,
  'read-totals.ts': anything,
  'wire-app.ts': anything,
  'wire-signal.ts': anything,
  'wire-wake.ts': anything,
  'open-store.ts': anything,
  'listen.ts': anything,
  'version.ts': { imports: [] },
  'index.ts': anything,
};

/** What is wrong with the imports of one file, as sentences; `path` is relative to src, with forward slashes. */
export function findForbiddenImports(path: string, source: string): string[] {
  const name = roomOf(path);
  const room = name === undefined ? undefined : rooms[name];
  if (name === undefined || room === undefined) return [`src/${path} belongs to no row of the import table`];
  return findSpecifiers(source)
    .filter((specifier) => !mayImport({ path, name, room }, specifier))
    .map((specifier) => `src/${path} may not import '${specifier}'`);
}

function mayImport(importer: { path: string; name: string; room: Room }, specifier: string): boolean {
  if (!specifier.startsWith('.')) {
    // By its own package's name a file could reach around the table.
    if (specifier === 'coterie' || specifier.startsWith('coterie/')) return false;
    return importer.room.packages?.includes(specifier) ?? true;
  }
  const target = posix.join(posix.dirname(importer.path), specifier).replace(/\.js$/, '.ts');
  return target.startsWith(importer.name) || importer.room.imports.some((pattern) => matches(target, pattern));
}

function matches(path: string, pattern: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

function roomOf(path: string): string | undefined {
  const names = Object.keys(rooms).filter((name) => path.startsWith(name));
  return names.toSorted((a, b) => b.length - a.length)[0];
}

// `import … from`, `export … from`, `import '…'`, and `import('…')` as a call or a type.
const specifierForms = [/^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(.+?)\1/gm, /\bimport\s*\(?\s*(['"`])(.+?)\1/g];

function findSpecifiers(source: string): string[] {
  const code = source.replaceAll(/^\s*\/?\*(?:.*?\*\/|.*$)|(?<=^|\s)\/\/.*$/gm, ''); // without comments
  return specifierForms.flatMap((form) => [...code.matchAll(form)].flatMap((match) => match[2] ?? []));
}
