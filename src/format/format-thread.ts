// get_thread with `format`: formats the page of messages for a provider.
import { textOf } from '../contract/content-block.js';
import type { FormatChoice } from '../contract/format-choice.js';
import type { getThread } from '../contract/operations/get-thread.js';
import type { OutputOf } from '../contract/operation.js';
import { formatInSteps } from './format.js';

type ThreadPage = OutputOf<typeof getThread>;

/**
 * Passes all members as speakers, so that nobody can impersonate those without messages on this page. In steps, because
 * a page may have megabytes.
 */
export function* formatThread(page: ThreadPage, choice: FormatChoice | undefined): Generator<void, ThreadPage> {
  if (choice === undefined) return page;
  const speakers = [...page.participants, page.creator];
  const formatted = yield* formatInSteps(page.messages, { ...choice, speakers });
  return { ...page, messages: [], formatted };
}

/** How long a formatted page will be, roughly: a long one is written in pieces. */
export function charsIn(messages: ThreadPage['messages']): number {
  return messages.reduce((sum, { content }) => sum + textOf(content).length, 0);
}
