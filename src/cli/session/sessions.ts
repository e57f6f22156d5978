// coterie sessions: lists, creates and closes sessions.
import type { ListedSessionView } from '../../contract/session.js';
import { operations } from '../../contract/operations/index.js';
import { durationForm, readSeconds } from '../arguments/flag.js';
import { flagsFromContract } from '../arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { didYouMean, usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { tableLines, type Column } from '../show/print-table.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { shortTime } from '../show/short-time.js';

const listFlags = [...flagsFromContract(operations.listSessions), ...hubFlags];

const list: Command = {
  describe: () => ({
    usage: 'list [options]',
    about: ['Lists the sessions that you administer; on a hub without keys, all.'],
    flags: listFlags,
    examples: [{ line: 'coterie sessions', does: 'the first 50' }],
  }),
  async run(argv) {
    const { own, fields } = readArgs(argv, { command: 'sessions list', flags: listFlags });
    const answer = await connect(readHubChoice(own)).call(operations.listSessions, fields);
    const more = answer.cursor === null ? [] : [`More: coterie sessions list --cursor ${answer.cursor}`];
    await (own.has('json') ? printJson(answer) : printLines([...sessionLines(answer.sessions), ...more]));
    return 0;
  },
};

const ttl = { name: 'ttl', field: 'ttl', value: 'TIME', help: 'then it closes itself' } as const;
const createFlags = [
  ...flagsFromContract(operations.createSession, [{ ...ttl, allowed: durationForm, read: readSeconds }], ['sessionId']),
  ...hubFlags,
];

const create: Command = {
  describe: () => ({
    usage: 'create [NAME] [options]',
    about: ['Creates a session; the hub makes a name if none is given.'],
    flags: createFlags,
    examples: [
      { line: 'coterie sessions create release-1.4 --application notes', does: 'an empty session' },
      { line: 'coterie sessions create --ttl 2h', does: 'one that closes itself' },
    ],
  }),
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, {
      command: 'sessions create',
      flags: createFlags,
      positionals: ['name'],
    });
    const [name] = positionals;
    const input = name === undefined ? fields : { ...fields, sessionId: name };
    const answer = await connect(readHubChoice(own)).call(operations.createSession, input);
    await (own.has('json') ? printJson(answer) : printLines([`Created ${oneLine(answer.session.sessionId)}`]));
    return 0;
  },
};

const closeFlags = [...flagsFromContract(operations.closeSession, [], ['sessionId']), ...hubFlags];

const close: Command = {
  describe: () => ({
    usage: 'close NAME [options]',
    about: ['Closes a session and its threads for good. Waits there end; it can still be read.'],
    flags: closeFlags,
    examples: [{ line: 'coterie sessions close release-1.4 --reason "It is out."', does: 'ends its waits' }],
  }),
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, {
      command: 'sessions close',
      flags: closeFlags,
      positionals: ['name'],
    });
    const [name] = positionals;
    if (name === undefined) throw usage('close needs the name of a session.', 'See them with: coterie sessions');
    const answer = await connect(readHubChoice(own)).call(operations.closeSession, { ...fields, sessionId: name });
    const { closedThreads, alreadyClosed = false } = answer;
    const shown = oneLine(name);
    const line = alreadyClosed ? `${shown} was closed already` : `Closed ${shown} and ${closedThreads} open threads`;
    await (own.has('json') ? printJson(answer) : printLines([line]));
    return 0;
  },
};

const verbs: ReadonlyMap<string, Command> = new Map([
  ['list', list],
  ['create', create],
  ['close', close],
]);

const description: Description = {
  usage: '[list | create | close] [NAME] [options]',
  about: ['Lists sessions, creates one, or closes one for good. A session isolates a team.'],
  flags: listFlags,
  examples: [
    { line: 'coterie sessions', does: 'those that you administer' },
    { line: 'coterie sessions create release-1.4 --ttl 1d', does: 'one that closes itself' },
    { line: 'coterie sessions close release-1.4 --reason "It is out."', does: 'ends its waits' },
  ],
  verbs: [...verbs.keys()],
};

export const sessions: Command = {
  describe: ([word = '']) => verbs.get(word)?.describe([]) ?? description,
  run([word = 'list', ...rest]) {
    if (word.startsWith('-')) return list.run([word, ...rest]);
    const verb = verbs.get(word);
    if (verb !== undefined) return verb.run(rest);
    throw usage(
      `'${word}' is not something to do with sessions.`,
      `${didYouMean(word, verbs.keys(), (name) => `coterie sessions ${name}`)}Allowed: list, create, close.`,
    );
  },
};

const columns: readonly (Column & { cell: (session: ListedSessionView) => string })[] = [
  { title: 'SESSION', cell: ({ sessionId }) => oneLine(sessionId) },
  { title: 'STATUS', cell: ({ status }) => status },
  { title: 'CREATED', cell: ({ createdAt }) => shortTime(createdAt) },
  { title: 'AGENTS', align: 'right', cell: ({ agents }) => String(agents) },
  { title: 'THREADS', align: 'right', cell: ({ threads }) => String(threads) },
  { title: 'LAST', align: 'right', cell: ({ lastSeq }) => String(lastSeq) },
  { title: 'APPLICATION', mayShrink: true, cell: ({ application = '' }) => oneLine(application) },
];

function sessionLines(found: readonly ListedSessionView[]): string[] {
  if (found.length === 0) return ['No sessions.'];
  return tableLines(
    columns,
    found.map((session) => columns.map(({ cell }) => cell(session))),
  );
}
