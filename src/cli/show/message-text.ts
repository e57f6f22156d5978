// Messages as text for people: a block with a heading (inbox), or a line of a conversation (thread, tail).
import type { ContentBlock } from '../../contract/content-block.js';
import type { Message } from '../../contract/message.js';
import { sourceText } from '../../contract/text/content-as-text.js';
import type { ThreadHeader } from '../../contract/thread.js';
import { paint, paintSender, type Style } from './paint.js';
import { oneLine, printable } from './printable.js';
import { shortTime } from './short-time.js';
import { truncateTo, padTo, widthOf, wrapTo } from './text-width.js';

const titleColumnsMax = 40;
const whoColumnsMax = 28;
/** Fits the ids of a session's first thousand messages. */
const idColumns = 8;

/** Heading, then the text, indented. */
export function messageBlock(message: Message, threads: readonly ThreadHeader[] = []): string[] {
  const { threadId } = message;
  const title = threads.find((thread) => thread.threadId === threadId)?.title;
  const named = title === undefined ? '' : ` “${truncateTo(oneLine(title), titleColumnsMax)}”`;
  const target = targetOf(message);
  const details = [
    ...(target === undefined ? [] : [`→ ${target}`]),
    ...(threadId === undefined ? [] : [`in ${oneLine(threadId)}${named}`]),
  ];
  const heading = [
    paint('dim', shortTime(message.timestamp)),
    [paintSender(message.sender, paint('bold', oneLine(message.sender))), ...details].join(' '),
    paint('dim', message.id),
    ...marksOf(message).map(({ style, text }) => paint(style, text)),
  ].join('  ');
  const context = message.context === undefined ? [] : [paint('dim', `context: ${oneLine(message.context)}`)];
  const payload =
    message.payload === undefined ? [] : [paint('dim', `payload: ${oneLine(JSON.stringify(message.payload))}`)];
  const body = textLines(message, 2);
  return [heading, ...[...context, ...body, ...payload].map((line) => `  ${line}`.trimEnd())];
}

/** A page of one thread does not repeat it in every line; others show the titles they know, by id. */
export type ShownThreads = 'one' | ReadonlyMap<string, string>;

/** Time, id, sender and text in columns; further lines of the text are indented. */
export function messageLine(
  message: Message,
  { columns, threads }: { columns: number; threads: ShownThreads },
): string {
  const who = padTo(truncateTo(whoOf(message, threads), columns), columns);
  const time = shortTime(message.timestamp);
  const id = padTo(message.id, idColumns);
  const head = `${paint('dim', time)}  ${paint('dim', id)}  ${paintSender(message.sender, who)}  `;
  const indent = ' '.repeat(widthOf(`${time}  ${id}  ${who}  `));
  const marks = marksOf(message);
  const plainMarks = marks.map(({ text }) => `${text} `).join('');
  const [first = '', ...rest] = textLines(message, indent.length, plainMarks);
  // Coloured after wrapping, because colour codes have no width.
  const painted = marks.map(({ style, text }) => `${paint(style, text)} `).join('') + first.slice(plainMarks.length);
  const shown = first.startsWith(plainMarks) ? painted : first;
  return [`${head}${shown}`, ...rest.map((line) => `${indent}${line}`)].join('\n');
}

/** The width of the widest sender column. */
export function whoColumns(messages: readonly Message[], threads: ShownThreads): number {
  return Math.min(whoColumnsMax, Math.max(0, ...messages.map((message) => widthOf(whoOf(message, threads)))));
}

/** ann, ann → ben, ann in “Nightly”, ann → label */
function whoOf(message: Message, threads: ShownThreads): string {
  const target = targetOf(message);
  const { sender, threadId } = message;
  if (target !== undefined) return oneLine(`${sender} → ${target}`);
  if (threads === 'one' || threadId === undefined) return oneLine(sender);
  const title = threads.get(threadId);
  return oneLine(title === undefined ? `${sender} → ${threadId}` : `${sender} in “${title}”`);
}

function targetOf(message: Message): string | undefined {
  return typeof message['target'] === 'string' ? oneLine(message['target']) : undefined;
}

const textColumnsMin = 24;

/** The text's lines, wrapped to the terminal width less the indent if that leaves enough columns. */
function textLines({ content }: Message, indentColumns: number, before = ''): string[] {
  const lines = `${before}${printable(contentText(content))}`.split('\n');
  const columns = process.stdout.isTTY ? process.stdout.columns - indentColumns : 0;
  return columns < textColumnsMin ? lines : lines.flatMap((line) => wrapTo(line, columns));
}

interface Mark {
  readonly text: string;
  readonly style: Style;
}

/** Attributes that differ from the defaults. */
function marksOf(message: Message): Mark[] {
  const { type, priority, action, urgent, replyTo, redelivered, why } = message;
  const plain = [
    ...(type === undefined ? [] : [type]),
    ...(why === 'mention' ? ['mentions you'] : []),
    ...(why === 'reply' ? ['answers you'] : []),
    ...(replyTo === undefined ? [] : [`re ${oneLine(replyTo)}`]),
    ...(priority === 'low' ? ['low'] : []),
  ];
  const prominent = [
    ...(priority === 'high' ? ['high'] : []),
    ...(action === 'interrupt' ? ['interrupt'] : []),
    ...(urgent === true ? ['urgent'] : []),
    ...(redelivered === true ? ['redelivered'] : []),
  ];
  return [
    ...(plain.length === 0 ? [] : [{ style: 'dim' as const, text: `[${plain.join(', ')}]` }]),
    ...(prominent.length === 0 ? [] : [{ style: 'yellow' as const, text: `[${prominent.join(', ')}]` }]),
  ];
}

/** Text is unchanged; every other block becomes a short description in brackets. */
export function contentText(blocks: readonly ContentBlock[]): string {
  return blocks.map(blockText).join('\n');
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return `[thinking] ${block.thinking}`;
    case 'tool_use':
      return `[tool_use ${block.name}] ${JSON.stringify(block.input)}`;
    case 'tool_result':
      return `[tool_result] ${typeof block.output === 'string' ? block.output : block.output.map(blockText).join('\n')}`;
    case 'image':
    case 'audio':
    case 'video':
      return `[${block.type} ${sourceText(block.source)}]`;
    default:
      // A newer hub may have block types unknown to this release.
      return '[content not supported by this release]';
  }
}
