// coterie import: makes a session of an exported file; or, with --from, converts messages of another framework or provider.
import { accessSync, constants } from 'node:fs';
import { importMessages, importSources } from '../../format/index.js';
import type { Flag } from '../arguments/flag.js';
import { dataFlag, jsonFlag, readHubChoice, sessionFlag, urlFlag } from '../arguments/hub-flags.js';
import { keyFileFlag } from '../arguments/key-choice.js';
import { readArgs } from '../arguments/read-args.js';
import { readJsonStdin } from '../arguments/read-json-stdin.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { printJson, printLines } from '../show/print.js';
import { importFile } from './import-file.js';

const newSessionFlag: Flag = {
  name: 'session',
  value: 'NAME',
  help: 'the name of the new session (as in FILE)',
  ...(sessionFlag.allowed === undefined ? {} : { allowed: sessionFlag.allowed }),
  ...(sessionFlag.read === undefined ? {} : { read: sessionFlag.read }),
};

const flags: readonly Flag[] = [
  newSessionFlag,
  urlFlag,
  dataFlag,
  keyFileFlag,
  {
    name: 'from',
    value: 'FORMAT',
    help: `convert messages on stdin, of ${importSources.join(', ')}; needs no hub`,
    field: 'from',
    choices: importSources,
    allowed: importSources.join(', '),
    read: (typed) => importSources.find((name) => name === typed.toLowerCase()),
  },
  jsonFlag,
];

const description: Description = {
  usage: 'FILE [--session NAME], or --from FORMAT < theirs.json',
  about: [
    'Makes a new session of a file that coterie export wrote; - is stdin. All of it,',
    'or nothing.',
    '',
    'With --from: reads messages of another framework or provider on stdin, a JSON',
    'array or an object with "messages" (of OpenAI Responses: "input" or "output"),',
    'and prints them as a JSON array of ours.',
  ],
  flags,
  examples: [
    { line: 'coterie import team.jsonl --session team-2', does: 'a session under another name' },
    { line: 'gunzip < shop.jsonl.gz | coterie import -', does: 'a compressed one' },
    {
      line: 'coterie import --from openai < chat.json > messages.json',
      does: 'a Chat Completions or Responses conversation',
    },
    {
      line: 'coterie import --from agentscope < memory.json | coterie format --provider anthropic',
      does: 'convert to another provider',
    },
  ],
};

export const importCommand: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, { command: 'import', flags, positionals: ['file'] });
    const from = importSources.find((name) => name === fields['from']);
    const [file] = positionals;
    if (from !== undefined) {
      if (file !== undefined)
        throw usage('--from reads stdin, not a file.', `Write: coterie import --from ${from} < ${file}`);
      await printJson(importMessages(await readJsonStdin('messages as JSON'), from));
      return 0;
    }
    if (file === undefined) {
      throw usage(
        'import needs a file, or --from.',
        `FILE is from coterie export. --from: ${importSources.join(', ')}.`,
      );
    }
    requireReadable(file);
    const hub = connect(readHubChoice(new Map([...own].filter(([name]) => name !== 'session'))));
    const answer = await importFile(hub, { file, sessionId: own.get('session') });
    if (own.has('json')) await printJson(answer);
    else await printLines([`Imported session ${answer.sessionId}: ${answer.counts?.['message'] ?? 0} messages.`]);
    return 0;
  },
};

function requireReadable(file: string): void {
  if (file === '-') return;
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw usage(`Cannot read '${file}'.`, 'Name a file that coterie export wrote.');
  }
}
