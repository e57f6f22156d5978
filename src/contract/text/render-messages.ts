// Messages as text: an XML-like form, or one line each.
import { threadIdPattern } from '../ids.js';
import type { Message } from '../message.js';
import type { ThreadHeader } from '../thread.js';
import { contentAsText } from './content-as-text.js';
import { escapeXml, inAttribute } from './escape-xml.js';
import { inLine } from './in-line.js';

/** Names of agents by id, for threads whose header is not repeated. */
export type Names = Readonly<Record<string, string>>;

/** The full form. Each thread's header appears once; messages without a thread are in `<inbox>`. */
export function renderXml(messages: readonly Message[], threads: readonly ThreadHeader[], names: Names = {}): string {
  const headers = new Map(threads.map((header) => [header.threadId, header]));
  const byThread = new Map<string | undefined, Message[]>();
  for (const message of messages) {
    const threadId = labelOf(message, headers.get(message.threadId ?? '')) === undefined ? message.threadId : undefined;
    const inThread = byThread.get(threadId);
    if (inThread === undefined) byThread.set(threadId, [message]);
    else inThread.push(message);
  }
  const parts = [...byThread].map(([threadId, inThread]) => {
    const header = headers.get(threadId ?? '');
    const body = inThread.map((message) => renderMessage(message, header, names)).join('\n');
    if (threadId === undefined) return `<inbox>\n${body}\n</inbox>`;
    const name = header === undefined ? '' : ` name="${inAttribute(header.title)}"`;
    const top = header === undefined ? '' : `${renderHeader(header)}\n`;
    return `<thread id="${inAttribute(threadId)}"${name}>\n${top}<messages>\n${body}\n</messages>\n</thread>`;
  });
  return `<messages>\n${parts.join('\n')}\n</messages>`;
}

export function renderHeader(thread: ThreadHeader): string {
  const participants = thread.participants.map(({ id, name }) => `<participant ${idAndName(id, name)} />`).join('\n');
  const more = thread.moreParticipants > 0 ? ` more="${thread.moreParticipants}"` : '';
  return `<status>${thread.status}</status>\n<participants${more}>\n${participants}\n</participants>`;
}

/** The `threadId` of a message that is in no thread: the sender's label. */
function labelOf({ threadId }: Message, header: ThreadHeader | undefined): string | undefined {
  return threadId === undefined || header !== undefined || threadIdPattern.test(threadId) ? undefined : threadId;
}

export function renderMessage(message: Message, header: ThreadHeader | undefined, names: Names = {}): string {
  const nameOf = (id: string) =>
    header?.participants.find((known) => known.id === id)?.name ?? (Object.hasOwn(names, id) ? names[id] : undefined);
  const label = labelOf(message, header);
  const attributes = [
    `id="${inAttribute(message.id)}"`,
    `timestamp="${Date.parse(message.timestamp)}"`,
    ...(label === undefined ? [] : [`threadId="${inAttribute(label)}"`]),
    ...(message.label === undefined ? [] : [`sessionId="${inAttribute(message.label)}"`]),
    // The hub's own words are known by their sender.
    ...(message.role === undefined || message.role === 'SYSTEM' ? [] : [`role="${message.role}"`]),
    ...(message.type === undefined ? [] : [`type="${message.type}"`]),
    ...(message.priority === undefined ? [] : [`priority="${message.priority}"`]),
    ...(message.action === undefined ? [] : [`action="${message.action}"`]),
    ...(message.urgent === true ? ['urgent="true"'] : []),
    ...addressed(message).map((to) => `to="${inAttribute(to)}"`),
    ...(message.replyTo === undefined ? [] : [`replyTo="${inAttribute(message.replyTo)}"`]),
    ...(message.expiresAt === undefined ? [] : [`expiresAt="${Date.parse(message.expiresAt)}"`]),
    ...(message.redelivered === true ? ['redelivered="true"'] : []),
    ...(typeof message['state'] === 'string' ? [`state="${inAttribute(message['state'])}"`] : []),
  ].join(' ');
  const mentions = (message.mentions ?? []).map((id) => `<mention ${idAndName(id, nameOf(id))} />`).join('');
  return [
    `<message ${attributes}>`,
    `<sender ${idAndName(message.sender, message.name ?? message.sender)} />`,
    ...(mentions === '' ? [] : [`<mentions>${mentions}</mentions>`]),
    ...(message.context === undefined ? [] : [`<context>${escapeXml(message.context)}</context>`]),
    ...(message.payload === undefined ? [] : [`<payload>${escapeXml(payloadText(message.payload))}</payload>`]),
    ...(message.metadata === undefined ? [] : [`<metadata>${escapeXml(JSON.stringify(message.metadata))}</metadata>`]),
    `<content${cutAttribute(message)}>${escapeXml(contentAsText(message.content))}</content>`,
    '</message>',
  ].join('\n');
}

/** A sealed answer has its mark in the content. */
function payloadText(payload: NonNullable<Message['payload']>): string {
  const shown = Object.entries(payload).filter(([name]) => name !== 'sealedAnswer');
  return JSON.stringify(Object.fromEntries(shown));
}

/** The agent or group that the sender addressed, unless it can only be the reader. */
export function addressed({ target, why }: Message): string[] {
  return typeof target !== 'string' || why === 'direct' || why === 'system' ? [] : [target];
}

/** An unknown name is left out. */
function idAndName(id: string, name: string | undefined): string {
  return name === undefined ? `id="${inAttribute(id)}"` : `id="${inAttribute(id)}" name="${inAttribute(name)}"`;
}

/** The one-line form, with the id that a reply needs. */
export function renderCompact(messages: readonly Message[]): string {
  const lines = messages.map((message) => {
    const place = labelOf(message, undefined) === undefined ? 'thread' : 'threadId';
    const thread = message.threadId === undefined ? '' : ` ${place}='${inAttribute(message.threadId)}'`;
    const type = message.type === undefined ? '' : ` type='${message.type}'`;
    const again = message.redelivered === true ? " redelivered='true'" : '';
    const state = typeof message['state'] === 'string' ? ` state='${inAttribute(message['state'])}'` : '';
    const body = escapeXml(contentAsText(message.content));
    const cut = cutAttribute(message).replaceAll('"', "'");
    const to = addressed(message).map((target) => ` to='${inAttribute(target)}'`);
    return `<message id='${inAttribute(message.id)}' sender='${inAttribute(message.sender)}'${to.join('')}${thread}${type}${again}${state}${cut}>${body}</message>`;
  });
  return `<messages>${lines.join('')}</messages>`;
}

function cutAttribute({ cut }: Message): string {
  return cut === undefined ? '' : ` part="${cut.from}-${cut.to} of ${cut.of}"`;
}

/** For every truncated message, the call that reads the rest. */
export function readOnLines(messages: readonly Message[]): string[] {
  return messages.flatMap(({ id, cut }) =>
    cut?.next === undefined ? [] : [inLine(`${id} is cut at character ${cut.to} of ${cut.of}. Read on: ${cut.next}`)],
  );
}
