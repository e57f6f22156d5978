// coterie format: converts messages on stdin to a provider's format on stdout. Needs no hub.
import { formatModes, formatProviders, formatStyles } from '../contract/format-choice.js';
import { readMessages } from '../contract/msg/read-messages.js';
import { formatMessages, type FormatOptions } from '../format/index.js';
import type { Flag } from './arguments/flag.js';
import { readArgs } from './arguments/read-args.js';
import { readJsonStdin } from './arguments/read-json-stdin.js';
import { usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { printJson } from './show/print.js';

function enumOf(choices: readonly string[]): Pick<Flag, 'choices' | 'allowed' | 'read'> {
  const read = (typed: string) => choices.find((choice) => choice === typed.toLowerCase());
  return { choices, allowed: choices.join(', '), read };
}

const flags: readonly Flag[] = [
  { name: 'provider', value: 'NAME', help: formatProviders.join(' '), field: 'provider', ...enumOf(formatProviders) },
  {
    name: 'mode',
    value: formatModes.join('|'),
    field: 'mode',
    ...enumOf(formatModes),
    help: 'one model and its user, or several agents (chat)',
  },
  {
    name: 'style',
    value: formatStyles.join('|'),
    field: 'style',
    ...enumOf(formatStyles),
    help: 'how speakers are distinguished (brackets)',
  },
  { name: 'history-prompt', value: 'TEXT', help: 'text before the history', field: 'historyPrompt' },
  {
    name: 'max-tokens',
    value: 'N',
    field: 'tokensMax',
    help: 'drop the oldest messages beyond it; calls keep their results',
    allowed: 'a whole number above 0',
    read: (typed) => (/^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : undefined),
  },
  {
    name: 'speakers',
    value: 'A,B',
    field: 'speakers',
    isList: true,
    help: 'more names that no text may impersonate',
    read: (typed) => typed.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
  },
];

const description: Description = {
  usage: '--provider NAME [options] < messages.json',
  about: [
    'Reads a JSON array of messages on stdin and prints {"messages":[…]} for the',
    'provider’s API, with "system" where the API has a separate field for it.',
    'Reads no file and fetches no URL.',
  ],
  flags,
  examples: [
    { line: 'coterie format --provider anthropic < messages.json', does: 'an agent’s own conversation' },
    {
      line: 'coterie thread t463814920757 --json | coterie format --provider openai --mode multiagent',
      does: 'a thread, as user messages like [AgentA]: View A',
    },
    {
      line: 'coterie format --provider gemini --mode multiagent --style history --max-tokens 8000 < messages.json',
      does: 'one user message with all lines, within a token budget',
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
