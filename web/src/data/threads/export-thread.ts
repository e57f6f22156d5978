// A thread as a file: Markdown, JSON lines, or the request of a model provider. Read from the hub page by page.
import type { FormatProvider } from '../../../../src/contract/format-choice.js';
import type { ThreadView } from '../../../../src/contract/thread.js';
import { messageMarkdown, threadMarkdown } from '../../../../src/format/markdown.js';
import { call } from '../api.js';
import type { Message } from '../types.js';
import { SavedFile } from './saved-file.js';
import { readAll, requestFile } from './saved-request.js';

export type ThreadFormat = 'markdown' | 'jsonl' | FormatProvider;

const pageSize = 100;

interface Page extends ThreadView {
  messages: Message[];
  hasMore: boolean;
  cursor: string | null;
}

export async function exportThread(threadId: string, format: ThreadFormat): Promise<Blob> {
  if (format === 'markdown') return asMarkdown(threadId);
  if (format === 'jsonl') return asLines(threadId);
  const { participants, creator } = await call<ThreadView>('get_thread', { threadId, limit: 1 });
  return requestFile(format, { messages: await readAll(pagesOf(threadId)), speakers: [...participants, creator] });
}

async function asMarkdown(threadId: string): Promise<Blob> {
  const file = new SavedFile('text/markdown');
  let isFirst = true;
  for await (const page of pagesOf(threadId)) {
    if (isFirst) file.add(threadMarkdown(page));
    isFirst = false;
    file.add(...page.messages.map(messageMarkdown));
  }
  return file.blob();
}

async function asLines(threadId: string): Promise<Blob> {
  const file = new SavedFile('application/json');
  for await (const { messages } of pagesOf(threadId)) {
    file.add(...messages.map((message) => `${JSON.stringify(message)}\n`));
  }
  return file.blob();
}

async function* pagesOf(threadId: string): AsyncGenerator<Page> {
  let after: number | string = 0;
  for (;;) {
    const page: Page = await call<Page>('get_thread', { threadId, after, limit: pageSize });
    yield page;
    if (!page.hasMore || page.cursor === null) return;
    after = page.cursor;
  }
}
