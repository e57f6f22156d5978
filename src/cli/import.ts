// coterie import: converts messages of another framework or provider on stdin to ours on stdout. Needs no hub.
import { importMessages, importSources } from '../format/index.js';
import type { Flag } from './arguments/flag.js';
import { readArgs } from './arguments/read-args.js';
import { readJsonStdin } from './arguments/read-json-stdin.js';
import { usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { printJson } from './show/print.js';

const flags: readonly Flag[] = [
  {
    name: 'from',
    value: importSources.join('|'),
    help: 'the format of the input',
    field: 'from',
    choices: importSources,
    allowed: importSources.join(', '),
    read: (typed) => importSources.find((name) => name === typed.toLowerCase()),
  },
];

const description: Description = {
  usage: `--from ${importSources.join('|')} < theirs.json`,
  about: [
    'Reads messages of another framework or provider on stdin, a JSON array or an',
    'object with "messages" (of OpenAI Responses: "input" or "output"), and prints',
    'them as a JSON array of ours.',
  ],
  flags,
  examples: [
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
    const { fields } = readArgs(argv, { command: 'import', flags });
    const from = importSources.find((name) => name === fields['from']);
    if (from === undefined) throw usage('import needs --from.', `Allowed: ${importSources.join(', ')}.`);
    await printJson(importMessages(await readJsonStdin('messages as JSON'), from));
    return 0;
  },
};
