// get_thread with `format`: the page of messages as a provider takes it.
import type { FormatChoice } from '../contract/format-choice.js';
import type { getThread } from '../contract/operations/get-thread.js';
import type { OutputOf } from '../contract/operation.js';
import { formatMessages } from './format.js';

type ThreadPage = OutputOf<typeof getThread>;

/** Members who are silent on this page cannot be spoken for either. */
export function formatThread(page: ThreadPage, choice: FormatChoice | undefined): ThreadPage {
  if (choice === undefined) return page;
  const formatted = formatMessages(page.messages, { ...choice, speakers: [...page.participants, page.creator] });
  return { ...page, messages: [], formatted };
}
