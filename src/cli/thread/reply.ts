// coterie thread reply: answers the newest message that someone else wrote in a thread, or the one named.
import { HubError } from '../../contract/errors.js';
import { systemAgentId } from '../../contract/ids.js';
import type { Message } from '../../contract/message.js';
import { operations } from '../../contract/operations/index.js';
import { readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command, Description } from '../command.js';
import { connect, type ConnectedHub } from '../hub/connect.js';
import { ownName } from '../hub/own-name.js';
import { confirmation, flags as sendFlags, readContent } from '../send.js';
import { contentText } from '../show/message-text.js';
import { paint } from '../show/paint.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { truncateTo } from '../show/text-width.js';
import { threadIdOf } from './thread-id.js';

/** It goes to the thread, never to a target. */
const flags = sendFlags.filter(({ name }) => !['to', 'target', 'thread'].includes(name));

const description: Description = {
  usage: 'reply ID [options] [TEXT | -]',
  about: [
    'Answers the newest message in a thread that is not yours, which wakes its author.',
    'With --reply-to another message. The text is read like that of coterie send.',
  ],
  flags,
  examples: [
    { line: 'coterie thread reply t463814920757 --as ben "It is. Two are flaky."', does: 'the newest message' },
    { line: 'coterie thread reply t463814920757 --as ben --reply-to ma17k3 "Yes."', does: 'one of them' },
  ],
};

export const replyInThread: Command = {
  describe: () => description,
  async run(argv) {
    const given = readArgs(argv, { command: 'thread reply', flags, positionals: ['id', 'text'] });
    const [id, ...text] = given.positionals;
    const threadId = threadIdOf('thread reply', id, given.fields);
    const content = await readContent({ ...given, positionals: text });
    const choice = readHubChoice(given.own);
    const hub = connect(choice);
    const isChosen = given.fields['reply_to'] !== undefined;
    const answered = isChosen ? undefined : await newestOfOthers(hub, threadId, await ownName(choice));
    const replyTo = answered === undefined ? {} : { replyTo: answered.id };
    const sent = await hub.call(operations.sendMessage, { ...given.fields, ...replyTo, threadId, content });
    await (given.own.has('json') ? printJson(sent) : printLines([...confirmation(sent), ...answeredLine(answered)]));
    return 0;
  },
};

const messagesLookedAt = 100;
const quotedColumnsMax = 50;

async function newestOfOthers(hub: ConnectedHub, named: unknown, me: string | undefined): Promise<Message> {
  const { threadId, messages } = await hub.call(operations.getThread, { threadId: named, limit: messagesLookedAt });
  const newest = messages.findLast(({ sender }) => sender !== me && sender !== systemAgentId);
  if (newest !== undefined) return newest;
  throw new HubError('MESSAGE_UNKNOWN', `No one else has written in ${String(named)} lately.`, {
    hint: `Post without a reply: coterie send --thread ${threadId} "…"`,
  });
}

function answeredLine(answered: Message | undefined): string[] {
  if (answered === undefined) return [];
  const quoted = truncateTo(oneLine(contentText(answered.content)), quotedColumnsMax);
  return [paint('dim', `Answers ${oneLine(answered.id)} of ${oneLine(answered.sender)}: ${quoted}`)];
}
