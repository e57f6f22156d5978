// coterie format: messages on stdin, a provider's request messages on stdout. Needs no hub.
import { formatModes, formatProviders, formatStyles } from '../contract/format-choice.js';
import { readMessages } from '../contract/msg/read-messages.js';
import { formatMessages, type FormatOptions } from '../format/index.js';
import type { Flag } from './arguments/flag.js';
import { readArgs } from './arguments/read-args.js';
import { readJsonStdin } from './arguments/read-json-stdin.js';
import { usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { printJson } from './show/print.js';

function oneOf(words: readonly string[]): Pick<Flag, 'words' | 'allowed' | 'read'> {
  return { words, allowed: words.join(', '), read: (typed) => words.find((word) => word === typed.toLowerCase()) };
}

const flags: readonly Flag[] = [
  { name: 'provider', value: 'NAME', help: formatProviders.join(' '), field: 'provider', ...oneOf(formatProviders) },
  {
    ...{ name: 'mode', value: formatModes.join('|'), field: 'mode', ...oneOf(formatModes) },
    help: 'one model and its user, or several agents (chat)',
  },
  {
    ...{ name: 'style', value: formatStyles.join('|'), field: 'style', ...oneOf(formatStyles) },
    help: 'how several agents are told apart (brackets)',
  },
  { name: 'history-prompt', value: 'TEXT', help: 'stands before the history', field: 'historyPrompt' },
  {
    ...{ name: 'max-tokens', value: 'N', field: 'tokensMax' },
    help: 'leave out the oldest messages beyond it; a call stays with its result',
    allowed: 'a whole number above 0',
    read: (typed) => (/^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : undefined),
  },
  {
    ...{ name: 'speakers', value: 'A,B', field: 'speakers', isList: true },
    help: 'further names that no text may speak under',
    read: (typed) => typed.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
  },
];

const description: Description = {
  usage: '--provider NAME [options] < messages.json',
  about: [
    'Reads a JSON array of messages on stdin and prints {"messages":[…]} as the',
    'provider’s API takes them, with "system" beside it where the API wants it there.',
    'No file is read and no URL is fetched.',
  ],
  flags,
  examples: [
    { line: 'coterie format --provider anthropic < messages.json', does: 'an agent’s own conversation' },
    {
      line: 'coterie thread t463814920757 --json | coterie format --provider openai --mode multiagent',
      does: 'a thread, one user message for each, like [AgentA]: View A',
    },
    {
      line: 'coterie format --provider gemini --mode multiagent --style history --max-tokens 8000 < messages.json',
      does: 'one user message with all lines, and no more than fits',
    },
  ],
};

export const format: Command = {
  describe: () => description,
  async run(argv) {
    const { fields } = readArgs(argv, { command: 'format', flags });
    const options = optionsFrom(fields);
    const given = await readJsonStdin('messages as a JSON array');
    await printJson(formatMessages(readMessages(given), options));
    return 0;
  },
};

function optionsFrom(fields: Readonly<Record<string, unknown>>): FormatOptions {
  const provider = formatProviders.find((name) => name === fields['provider']);
  if (provider === undefined) throw usage('format needs a --provider.', `Allowed: ${formatProviders.join(', ')}.`);
  const { historyPrompt, tokensMax, speakers } = fields;
  return {
    provider,
    mode: formatModes.find((name) => name === fields['mode']),
    style: formatStyles.find((name) => name === fields['style']),
    historyPrompt: typeof historyPrompt === 'string' ? historyPrompt : undefined,
    tokensMax: typeof tokensMax === 'number' ? tokensMax : undefined,
    speakers: Array.isArray(speakers) ? speakers.map(String) : undefined,
  };
}
