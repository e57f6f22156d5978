// Threads and sessions as Markdown, to read and to paste elsewhere. What agents wrote cannot become a heading, a speaker, a
// link, a picture or HTML: words are quoted as they are, everything that Markdown would read as more is in a fence that it
// cannot close, and names are escaped. Pure, and runs in browsers too.
import type { ContentBlock, MediaBlock, ResultPart } from '../contract/content-block.js';
import type { Message } from '../contract/message.js';
import { onOneLine } from '../contract/text/in-line.js';

export interface MarkdownThread {
  readonly threadId: string;
  readonly title: string;
  readonly status: string;
  readonly creator: string;
  readonly participants: readonly string[];
  readonly summary?: string | undefined;
}

/** The head of a document about one thread; its messages follow. */
export function threadMarkdown({ threadId, title, status, creator, participants, summary }: MarkdownThread): string {
  const members = participants.map(inLine).join(', ');
  const facts = `Thread ${code(threadId)}, ${inLine(status)}, created by ${inLine(creator)}. Members: ${members}.`;
  const end = summary === undefined || summary === '' ? [] : ['Summary:', quote(summary)];
  return paragraphs([`# ${inLine(title)}`, facts, ...end]);
}

/** The head of a document about a session: messages of all threads follow in the order they were sent. */
export function sessionMarkdown(sessionId: string): string {
  return paragraphs([`# Session ${inLine(sessionId)}`]);
}

/** From here on messages are of this thread; null: of none. */
export function placeMarkdown(place: { threadId: string; title: string } | null): string {
  return paragraphs([place === null ? '## Direct messages' : `## ${inLine(place.title)} (${code(place.threadId)})`]);
}

/** What a message needs to be shown; those of an export have less than those of the hub. */
export type MarkdownMessage = Pick<Message, 'seq' | 'sender' | 'content' | 'timestamp'> &
  Partial<Pick<Message, 'id' | 'name' | 'type' | 'replyTo' | 'context' | 'payload' | 'redacted'>> & {
    readonly target?: unknown;
  };

export function messageMarkdown(message: MarkdownMessage): string {
  const { sender, name, timestamp, context, payload, content, redacted } = message;
  const called = name === undefined || name === '' || name === sender ? '' : ` (${inLine(name)})`;
  const erased = redacted === undefined ? [] : [`Erased by ${inLine(redacted.by)} at ${inLine(redacted.at)}.`];
  return paragraphs([
    `### ${inLine(sender)}${called}, ${inLine(timestamp)}`,
    factsOf(message),
    ...erased,
    ...content.flatMap(blockMarkdown),
    ...(context === undefined || context === '' ? [] : ['Context:', quote(context)]),
    ...(payload === undefined ? [] : ['Payload:', json(payload)]),
  ]);
}

function factsOf({ seq, id, type, target, replyTo }: MarkdownMessage): string {
  return [
    id === undefined ? `Message ${seq}` : `Message ${code(id)}`,
    ...(type === undefined ? [] : [inLine(type)]),
    ...(typeof target === 'string' ? [`to ${inLine(target)}`] : []),
    ...(replyTo === undefined ? [] : [`in reply to ${code(replyTo)}`]),
  ].join(', ');
}

function blockMarkdown(block: ContentBlock): string[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [quote(block.text)];
    case 'thinking':
      return ['Thinking:', quote(block.thinking)];
    case 'tool_use':
      return [`Tool call ${code(block.name)}, ${code(block.id)}:`, json(block.input)];
    case 'tool_result':
      return [`Result of ${code(block.toolUseId)}:`, ...partsOf(block.output)];
    default:
      return [mediaMarkdown(block)];
  }
}

function partsOf(output: string | readonly ResultPart[]): string[] {
  if (typeof output === 'string') return [quote(output)];
  return output.map((part) => (part.type === 'text' ? quote(part.text) : mediaMarkdown(part)));
}

/** Named, never shown: a picture of another host would tell it who reads. */
function mediaMarkdown({ type, source }: MediaBlock): string {
  if (source.type === 'url') return `Linked ${type}:\n\n${fenced(source.url)}`;
  const size = source.type === 'attachment' ? `, ${source.bytes} bytes, SHA-256 ${code(source.hash)}` : '';
  return `Attached: ${type}, ${inLine(source.mediaType)}${size}`;
}

// Nothing in such a line has a meaning in Markdown, wherever it stands.
const plainLine = /^[\p{L}@][\p{L}\p{M}\p{N} .,;:!?'"()@/%+-]*$/u;

function quote(text: string): string {
  const lines = spelled(text).split('\n');
  if (!lines.every((line) => line === '' || plainLine.test(line))) return fenced(text);
  return lines
    .map((line, index) => {
      const isBroken = line !== '' && (lines[index + 1] ?? '') !== '';
      return line === '' ? '>' : `> ${line}${isBroken ? '\\' : ''}`;
    })
    .join('\n');
}

function json(value: unknown): string {
  return fenced(JSON.stringify(value, null, 2), 'json');
}

/** Longer than any run of backticks in it: nothing in the text ends it. */
function fenced(text: string, language = 'text'): string {
  const shown = spelled(text);
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

function code(text: string): string {
  const shown = spelled(onOneLine(text));
  const fence = '`'.repeat(longestRun(shown) + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${space}${shown === '' ? ' ' : shown}${space}${fence}`;
}

/** Of backticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A name or a title as part of a line. */
function inLine(text: string): string {
  return spelled(onOneLine(text)).replaceAll(/[\\`*_[\]<>&#|~!]/g, String.raw`\$&`);
}

// Controls but tab and line feed, and characters that reorder or hide text.
const hidden = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff\u{e0000}-\u{e007f}]/gu;

function spelled(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(hidden, (char) => (char === '\n' || char === '\t' ? char : `[U+${hex(char)}]`));
}

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

function paragraphs(parts: readonly string[]): string {
  return parts.map((part) => `${part}\n\n`).join('');
}
