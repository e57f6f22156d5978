// list_active_threads: the threads in which something was said lately, the last active first.
import type { listActiveThreads as contract } from '../contract/operations/list-active-threads.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { answerFrameTokens, countThatFit, entryTokens } from '../contract/budget/message-tokens.js';
import type { ModelReader } from '../contract/budget/model-reader.js';
import { threadIdPattern } from '../contract/ids.js';
import { isAdmin, type Caller } from '../ports/caller.js';
import type { Store } from '../ports/store.js';
import { viewThreadFor } from './view.js';

export interface ActiveThreadPorts {
  store: Pick<Store, 'activeThreads' | 'listThreads'>;
}

export async function listActiveThreads(
  { store }: ActiveThreadPorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof contract>; model: ModelReader | undefined },
): Promise<OutputOf<typeof contract>> {
  const { sessionId, agentId: reader } = caller;
  const active = (await store.activeThreads({ sessionId })).filter(({ threadId }) => threadIdPattern.test(threadId));
  // By the rules of list_threads, so that both show the same threads to the same reader.
  const { threads: visible } = await store.listThreads({
    sessionId,
    reader,
    seesPrivate: isAdmin(caller),
    status: input.status ?? null,
    participant: input.participant ?? null,
    ids: active.map(({ threadId }) => threadId),
    limit: active.length,
    after: null,
  });
  const byId = new Map(visible.map((thread) => [thread.id, thread]));
  const threads = active.flatMap(({ threadId, at }) => {
    const thread = byId.get(threadId);
    if (thread === undefined) return [];
    const { isCritical: critical, unread } = thread;
    return [{ ...viewThreadFor(thread, model), critical, unread, lastAt: new Date(at).toISOString() }];
  });
  const page = threads.slice(0, input.limit);
  if (model === undefined) return { threads: page };
  return { threads: page.slice(0, countThatFit(page, model.tokensMax - answerFrameTokens, entryTokens)) };
}
