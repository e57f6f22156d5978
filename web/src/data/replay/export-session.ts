// The session as a file: what this reader may read, or for an administrator all that an import needs.
import type { FormatProvider } from '../../../../src/contract/format-choice.js';
import { messageMarkdown, placeMarkdown, sessionMarkdown } from '../../../../src/format/markdown.js';
import { call } from '../api.js';
import { SavedFile } from '../threads/saved-file.js';
import { readAll, requestFile } from '../threads/saved-request.js';
import { readSession, type SessionPage } from './sources.js';

export type SessionFormat = 'markdown' | 'jsonl' | 'session' | FormatProvider;

const pageSize = 100;

export async function exportSession(sessionId: string, format: SessionFormat): Promise<Blob> {
  if (format !== 'markdown' && format !== 'jsonl' && format !== 'session') {
    return requestFile(format, { messages: await readAll(pages()), speakers: await members() });
  }
  const file = new SavedFile(format === 'markdown' ? 'text/markdown' : 'application/json');
  if (format === 'session') await addLines(file);
  else if (format === 'jsonl') await addMessages(file);
  else await addMarkdown(file, sessionId);
  return file.blob();
}

async function members(): Promise<string[]> {
  const { agents } = await call<{ agents: { id: string }[] }>('list_agents', { includeDetails: false });
  return agents.map(({ id }) => id);
}

/** For `coterie import`. */
async function addLines(file: SavedFile): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: { lines: string; cursor: string | null } = await call(
      'export_session',
      cursor === null ? {} : { cursor },
    );
    file.add(page.lines);
    ({ cursor } = page);
  } while (cursor !== null);
}

async function addMessages(file: SavedFile): Promise<void> {
  for await (const { messages } of pages()) file.add(...messages.map((message) => `${JSON.stringify(message)}\n`));
}

async function addMarkdown(file: SavedFile, sessionId: string): Promise<void> {
  file.add(sessionMarkdown(sessionId));
  const titles = new Map<string, string>();
  let place: string | undefined | null = null;
  for await (const { messages, threads } of pages()) {
    for (const { threadId, title } of threads) titles.set(threadId, title);
    for (const message of messages) {
      const { threadId } = message;
      if (threadId !== place) file.add(placeMarkdown(placeOf(threadId, titles)));
      place = threadId;
      file.add(messageMarkdown(message));
    }
  }
}

function placeOf(threadId: string | undefined, titles: ReadonlyMap<string, string>) {
  return threadId === undefined ? null : { threadId, title: titles.get(threadId) ?? threadId };
}

async function* pages(): AsyncGenerator<SessionPage> {
  let after = 0;
  for (;;) {
    const page: SessionPage = await readSession(after, pageSize);
    yield page;
    if (!page.hasMore) return;
    after = page.position;
  }
}
