// Whether a device is left that can read a pending question. Pure.
import type { SystemText } from '../message/send/system-plan.js';
import type { SignalRecord } from '../ports/signal.js';

/** `kids` are those of the recipients' devices. What the hub itself can read, people read in the app or on the command line. */
export function isReadable({ body }: Pick<SignalRecord, 'body'>, kids: ReadonlySet<string>): boolean {
  return body.form !== 'envelope' || body.envelope.r.some(({ k }) => kids.has(k));
}

export function unreadableText(id: string): string {
  return `No device can read question ${id} any more: the last one was revoked. Cancel it with cancel_question, and ask again.`;
}

export function newsOfUnreadable({ sessionId, id }: SignalRecord, at: number): SystemText {
  return { sessionId, at, text: unreadableText(id), payload: { questionId: id, readable: false } };
}
