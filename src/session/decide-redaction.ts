// How a message that is to be redacted is refused. Pure.
import { HubError } from '../contract/errors.js';

export function messageUnknown(messageId: string): HubError {
  return new HubError('MESSAGE_UNKNOWN', `There is no message '${messageId}'.`, {
    hint: 'Use the id of a message of your session; search_messages and query_message_history show ids.',
    details: { messageId },
  });
}
