// A thread as a file: Markdown, JSON lines, or the request of a model provider. Read from the hub page by page.
import type { FormatProvider } from '../../../../src/contract/format-choice.js';
import type { ThreadView } from '../../../../src/contract/thread.js';
import { messageMarkdown, threadMarkdown } from '../../../../src/format/markdown.js';
import { call } from '../api.js';
import type { Message } from '../types.js';
import { SavedFile } from './saved-file.js';

export type ExportFormat = 'markdown' | 'jsonl' | FormatProvider;

const pageSize = 100;

interface Page extends ThreadView {
  messages: Message[];
  formatted?: { messages: object[]; system?: string };
  hasMore: boolean;
  cursor: string | null;
}

export async function exportThread(threadId: string, format: ExportFormat): Promise<Blob> {
  const file = new SavedFile(format === 'markdown' ? 'text/markdown' : 'application/json');
  const requests: NonNullable<Page['formatted']>[] = [];
  let isFirst = true;
  for await (const page of pagesOf(threadId, format)) {
    if (isFirst && format === 'markdown') file.add(threadMarkdown(page));
    isFirst = false;
    if (format === 'markdown') file.add(...page.messages.map(messageMarkdown));
    else if (format === 'jsonl') file.add(...page.messages.map((message) => `${JSON.stringify(message)}\n`));
    else if (page.formatted !== undefined) {
      requests.push(page.formatted);
      file.count(JSON.stringify(page.formatted).length);
    }
  }
  if (requests.length > 0) file.add(`${JSON.stringify(requestOf(requests))}\n`);
  return file.blob();
}

async function* pagesOf(threadId: string, format: ExportFormat): AsyncGenerator<Page> {
  const asked = format === 'markdown' || format === 'jsonl' ? {} : { format };
  let after: number | string = 0;
  for (;;) {
    const page: Page = await call<Page>('get_thread', { threadId, after, limit: pageSize, ...asked });
    yield page;
    if (!page.hasMore || page.cursor === null) return;
    after = page.cursor;
  }
}

/** Every page begins with what speaks first, so that they follow one another. */
function requestOf(pages: readonly NonNullable<Page['formatted']>[]): object {
  const system = pages.flatMap((page) => (page.system === undefined ? [] : [page.system])).join('\n\n');
  return { messages: pages.flatMap(({ messages }) => messages), ...(system === '' ? {} : { system }) };
}
