// coterie thread export: one thread as JSON lines, Markdown, or the request of a model provider.
import type { Message } from '../../contract/message.js';
import { operations } from '../../contract/operations/index.js';
import { threadMarkdown } from '../../format/markdown.js';
import type { Flag } from '../arguments/flag.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command } from '../command.js';
import { connect, type ConnectedHub } from '../hub/connect.js';
import { formatFlag, inFormat, readFormat } from '../transfer/formats.js';
import { writeTo } from '../transfer/new-file.js';
import { threadIdOf } from './thread-id.js';

const flags: readonly Flag[] = [formatFlag, ...hubFlags];

export const exportThread: Command = {
  describe: () => ({
    usage: 'export ID [FILE] [--format NAME]',
    about: [
      'Writes the messages of a thread, to a new file that only you can read or to',
      'stdout: as JSON lines, as Markdown, or for a model provider’s API.',
    ],
    flags,
    examples: [
      { line: 'coterie thread export t463814920757 --format markdown release.md', does: 'to read' },
      { line: 'coterie thread export t463814920757 --format anthropic', does: 'for a model' },
    ],
  }),
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'thread export', flags, positionals: ['id', 'file'] });
    const threadId = String(threadIdOf('thread export', positionals[0]));
    const hub = connect(readHubChoice(own));
    const first = await hub.call(operations.getThread, { threadId, after: 0, limit: pageSize });
    const conversation = {
      heading: threadMarkdown(first),
      speakers: [...first.participants, first.creator],
      messages: messagesOf(hub, threadId, first),
    };
    await writeTo(positionals[1] ?? '-', inFormat(readFormat(own), conversation), own.has('json'));
    return 0;
  },
};

const pageSize = 100;

interface Page {
  messages: Message[];
  hasMore: boolean;
}

async function* messagesOf(hub: ConnectedHub, threadId: string, first: Page): AsyncGenerator<Message> {
  let page = first;
  for (;;) {
    yield* page.messages;
    const last = page.messages.at(-1);
    if (!page.hasMore || last === undefined) return;
    page = await hub.call(operations.getThread, { threadId, after: last.seq, limit: pageSize });
  }
}
