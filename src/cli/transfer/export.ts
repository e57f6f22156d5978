// coterie export: writes a session to a file or to stdout, whole or to read.
import { operations } from '../../contract/operations/index.js';
import { placeMarkdown, sessionMarkdown } from '../../format/markdown.js';
import type { Flag } from '../arguments/flag.js';
import { readHubChoice, watchFlags } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command, Description } from '../command.js';
import { connect, type ConnectedHub } from '../hub/connect.js';
import { exportedMessage, type ExportedMessage } from './exported-message.js';
import { formatFlag, inFormat, readFormat, type Conversation } from './formats.js';
import { writeTo } from './new-file.js';

const flags: readonly Flag[] = [formatFlag, ...watchFlags];

const description: Description = {
  usage: '[FILE] [--format NAME]',
  about: [
    'Writes a session as JSON lines: messages, deliveries, attachments, threads,',
    'groups and receipts. To a new file that only you can read, or to stdout. Keys',
    'are not in it. The hub works on meanwhile; the file has what was sent before.',
    'Other formats have the messages alone, and cannot be imported again.',
  ],
  flags,
  examples: [
    { line: 'coterie export team.jsonl', does: 'the session default' },
    { line: 'coterie export --session shop | gzip > shop.jsonl.gz', does: 'another one, compressed' },
    { line: 'coterie export --format markdown team.md', does: 'to read; coterie thread export: one thread' },
    { line: 'coterie import team.jsonl --url http://other:4180', does: 'into another hub' },
  ],
};

export const exportCommand: Command = {
  describe: () => description,
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'export', flags, positionals: ['file'] });
    const format = readFormat(own);
    const hub = connect(readHubChoice(own));
    const pages = format === 'jsonl' ? pagesOf(hub) : inFormat(format, await conversationOf(hub, own.get('session')));
    await writeTo(positionals[0] ?? '-', pages, own.has('json'));
    return 0;
  },
};

async function* pagesOf(hub: ConnectedHub): AsyncGenerator<string> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await hub.call(operations.exportSession, cursor === undefined ? {} : { cursor });
    yield page.lines;
    ({ cursor } = page);
  }
}

async function conversationOf(hub: ConnectedHub, session = 'default'): Promise<Conversation> {
  const titles = await titlesIn(hub);
  const { agents } = await hub.call(operations.listAgents, { includeDetails: false });
  return {
    heading: sessionMarkdown(session),
    speakers: agents.map(({ id }) => id),
    messages: messagesOf(pagesOf(hub)),
    placeOf: ({ threadId }) =>
      placeMarkdown(threadId === undefined ? null : { threadId, title: titles.get(threadId) ?? '' }),
  };
}

/** A line is never divided between two pages. */
async function* messagesOf(pages: AsyncIterable<string>): AsyncGenerator<ExportedMessage> {
  for await (const lines of pages) {
    for (const line of lines.split('\n')) {
      const message = line === '' ? undefined : exportedMessage(line);
      if (message !== undefined) yield message;
    }
  }
}

async function titlesIn(hub: ConnectedHub): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page: { threads: { threadId: string; title: string }[]; cursor: string | null } = await hub.call(
      operations.listThreads,
      { limit: 100, ...(cursor === undefined ? {} : { cursor }) },
    );
    for (const { threadId, title } of page.threads) titles.set(threadId, title);
    ({ cursor } = page);
  }
  return titles;
}
