// coterie send: one message, from an argument or a pipe.
import type { OutputOf } from '../contract/operation.js';
import { keyIdIn } from '../contract/key.js';
import { operations } from '../contract/operations/index.js';
import { attachedBlock } from './arguments/attach.js';
import { durationForm, readSeconds, switchFor, type Flag } from './arguments/flag.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { noKeyArgument } from './arguments/key-choice.js';
import { readArgs, type Given } from './arguments/read-args.js';
import { isPiped, readStdin } from './arguments/read-stdin.js';
import { usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { connect } from './hub/connect.js';
import { paint } from './show/paint.js';
import { printJson, printLines } from './show/print.js';
import { oneLine } from './show/printable.js';

const attachFlag: Flag = { name: 'attach', value: 'FILE', help: 'attach an image, audio or video file' };

export const flags = [
  ...flagsFromContract(
    operations.sendMessage,
    [
      { name: 'to', field: 'target', value: 'NAME', help: 'an agent or a group' },
      { name: 'thread', field: 'threadId', value: 'ID', help: 'a thread you are in' },
      { name: 'mention', field: 'mentions', help: 'members to wake; @name in the text counts too' },
      { name: 'reply-to', field: 'replyTo', value: 'ID', help: 'the message this answers' },
      { name: 'type', field: 'messageType', help: 'PING, QUERY, RESULT …' },
      { name: 'priority', field: 'priority', help: 'its order in the inbox (normal)' },
      { name: 'urgent', field: 'urgent', help: 'wakes every wait, ignores mutes' },
      { name: 'interrupt', field: 'action', help: 'goes to the front of the inbox', ...switchFor('interrupt') },
      {
        name: 'ttl',
        field: 'ttl',
        value: 'TIME',
        help: 'expires if unread by then',
        allowed: durationForm,
        read: readSeconds,
      },
      {
        name: 'key',
        field: 'idempotencyKey',
        value: 'TEXT',
        help: 'idempotency key: repeats are sent once',
        allowed: `a text of yours that names this message. For a key of the hub: ${noKeyArgument}`,
        read: (value) => (keyIdIn(value) === value ? value : undefined),
      },
      { name: 'payload', field: 'payload', value: 'JSON', help: 'an object for programs' },
    ],
    ['content'],
  ),
  attachFlag,
  ...hubFlags,
];

const description: Description = {
  usage: '(--to NAME | --thread ID | --reply-to ID) [options] [TEXT]',
  about: [
    'Sends a message and returns when it is on disk. A reply goes where the message',
    'it answers went. The text is the argument, or stdin with - or a pipe.',
  ],
  flags,
  examples: [
    { line: 'coterie send --as ann --to ben "Can you review PR 12?"', does: 'to one agent' },
    { line: 'coterie send --as ann --thread t463814920757 --mention ben "Done."', does: 'to a thread' },
    { line: 'coterie send --as ben --reply-to ma17k3 "Yes, today."', does: 'an answer; wakes its author' },
    { line: 'git diff | coterie send --as ann --to ben --type QUERY -', does: 'from a pipe' },
  ],
};

export const send: Command = {
  describe: () => description,
  async run(argv) {
    const given = readArgs(argv, { command: 'send', flags, positionals: ['text'] });
    const hub = connect(readHubChoice(given.own));
    const sent = await hub.call(operations.sendMessage, { ...given.fields, content: await readContent(given) });
    await (given.own.has('json') ? printJson(sent) : printLines(confirmation(sent)));
    return 0;
  },
};

export async function readContent({ positionals: [argument], fields, own }: Given): Promise<unknown> {
  const file = own.get('attach');
  const typed = argument ?? fields['content'];
  if (argument !== undefined && fields['content'] !== undefined)
    throw usage('The text was given twice.', 'Give it once.');
  const text = typed === '-' || (typed === undefined && file === undefined) ? await pipedText(typed === '-') : typed;
  if (file === undefined) return text;
  return [...(typeof text === 'string' ? [{ type: 'text', text }] : []), await attachedBlock(file)];
}

async function pipedText(isAsked: boolean): Promise<string> {
  if (!isAsked && !isPiped()) throw noText('send needs a text.');
  const text = (await readStdin('the message')).replace(/\r?\n$/, '');
  if (text.trim() === '') throw noText('stdin is empty.');
  return text;
}

function noText(message: string): Error {
  return usage(message, 'Write it in quotes: coterie send --as ann --to ben "text", or pipe it in.');
}

const recipientsShown = 8;

export function confirmation(sent: OutputOf<typeof operations.sendMessage>): string[] {
  const { messageId, threadId, recipients, warnings, duplicate } = sent;
  const shown = recipients
    .slice(0, recipientsShown)
    .map(({ id, presence, woken }) => `${oneLine(id)} (${presence}${woken ? ', woken' : ''})`);
  const more = recipients.length > recipientsShown ? ` and ${recipients.length - recipientsShown} more` : '';
  const to = shown.length === 0 ? '' : ` to ${shown.join(', ')}${more}`;
  const inThread = threadId === null ? '' : ` in ${oneLine(threadId)}`;
  return [
    `${duplicate ? 'Was already sent' : paint('green', 'Sent')} ${paint('bold', messageId)}${to}${inThread}`,
    ...warnings.map((warning) => paint('yellow', `Note: ${oneLine(warning)}`)),
  ];
}
