// What `coterie export` and `coterie thread export` write: JSON lines, Markdown, or the request of a model provider.
import { formatProviders, type FormatProvider } from '../../contract/format-choice.js';
import { readMessages } from '../../contract/msg/read-messages.js';
import { formatMessages } from '../../format/index.js';
import { messageMarkdown, type MarkdownMessage } from '../../format/markdown.js';
import type { Flag } from '../arguments/flag.js';

export type ExportFormat = 'jsonl' | 'markdown' | FormatProvider;

const formats: readonly ExportFormat[] = ['jsonl', 'markdown', ...formatProviders];

const formatIn = (typed: string) => formats.find((format) => format === typed.toLowerCase());

export const formatFlag: Flag = {
  name: 'format',
  value: 'NAME',
  help: 'jsonl, markdown, or a provider of coterie format (jsonl)',
  choices: formats,
  allowed: formats.join(', '),
  read: formatIn,
};

export function readFormat(own: ReadonlyMap<string, string>): ExportFormat {
  return formatIn(own.get('format') ?? 'jsonl') ?? 'jsonl';
}

type ShownMessage = MarkdownMessage & { readonly threadId?: string | undefined };

export interface Conversation {
  /** Of the Markdown. */
  readonly heading: string;
  /** Whom no text may impersonate. */
  readonly speakers: readonly string[];
  readonly messages: AsyncIterable<ShownMessage>;
  /** A heading, wherever it is another than that of the message before. */
  readonly placeOf?: (message: ShownMessage) => string;
}

export function inFormat(format: ExportFormat, conversation: Conversation): AsyncGenerator<string> {
  if (format === 'markdown') return asMarkdown(conversation);
  return format === 'jsonl' ? asLines(conversation) : asRequest(format, conversation);
}

async function* asMarkdown({ heading, messages, placeOf }: Conversation): AsyncGenerator<string> {
  yield heading;
  let before: string | undefined;
  for await (const message of messages) {
    const place = placeOf?.(message);
    if (place !== undefined && place !== before) yield place;
    before = place;
    yield messageMarkdown(message);
  }
}

async function* asLines({ messages }: Conversation): AsyncGenerator<string> {
  for await (const message of messages) yield `${JSON.stringify(message)}\n`;
}

/** One request holds all messages: they are in memory at once. */
async function* asRequest(provider: FormatProvider, { messages, speakers }: Conversation): AsyncGenerator<string> {
  const all = [];
  for await (const message of messages) all.push(message);
  const request = formatMessages(readMessages(all), { provider, mode: 'multiagent', speakers: [...speakers] });
  yield `${JSON.stringify(request)}\n`;
}
