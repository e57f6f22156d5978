// get_thread with `format`: formats the page of messages for a provider.
import type { FormatChoice } from '../contract/format-choice.js';
import type { getThread } from '../contract/operations/get-thread.js';
import type { OutputOf } from '../contract/operation.js';
import { formatMessages } from './format.js';

type ThreadPage = OutputOf<typeof getThread>;

/** Passes all members as speakers, so that nobody can impersonate those without messages on this page. */
export function formatThread(page: ThreadPage, choice: FormatChoice | undefined): ThreadPage {
  if (choice === undefined) return page;
  const formatted = formatMessages(page.messages, { ...choice, speakers: [...page.participants, page.creator] });
  return { ...page, messages: [], formatted };
}
