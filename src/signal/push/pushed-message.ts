// What a push says of a signal, in any channel: generic words, a link, how urgent it is.
import { z } from 'zod';
import type { SignalContent } from '../../contract/signal/signal.js';
import type { PushedSignal } from '../../ports/channels.js';

/** A signal, or the test of a channel. */
export type PushedMessage = Omit<Pick<PushedSignal, PushedField>, 'kind'> & { kind: PushedSignal['kind'] | 'test' };

type PushedField =
  | 'sessionId'
  | 'id'
  | 'kind'
  | 'sender'
  | 'senderName'
  | 'agentKeys'
  | 'level'
  | 'priority'
  | 'alertType'
  | 'projectId'
  | 'callHash'
  | 'body'
  | 'askedAt'
  | 'expiresAt';

/** A test has no row: it is sent at once, or not at all. */
export function testMessage(sessionId: string, now: number): PushedMessage {
  return {
    sessionId,
    id: 'test',
    kind: 'test',
    sender: 'coterie',
    senderName: 'Coterie',
    level: 'none',
    priority: 'normal',
    alertType: null,
    projectId: null,
    callHash: null,
    agentKeys: [],
    body: { form: 'plain', json: JSON.stringify({ text: 'This channel works.', options: [], context: null }) },
    askedAt: now,
    expiresAt: now + 60_000,
  };
}

/** Nothing of the question: lock screens, push services and proxies may see it. */
export function headlineOf({ kind, senderName, alertType }: PushedMessage): string {
  if (kind === 'test') return 'Test from Coterie';
  if (kind === 'permission') return `${senderName} asks for permission`;
  if (kind === 'question') return `${senderName} has a question`;
  return alertType === null || alertType === 'info'
    ? `${senderName} sent an alert`
    : `${senderName} reports ${alertType === 'error' ? 'an error' : alertType === 'warning' ? 'a warning' : 'success'}`;
}

export function linkTo(appUrl: string, { kind, id }: PushedMessage): string {
  const path = kind === 'question' || kind === 'permission' ? `/app/question/${encodeURIComponent(id)}` : '/app/inbox';
  return `${appUrl}${path}`;
}

export function urgencyOf({ kind, priority, alertType }: PushedMessage): 'low' | 'normal' | 'high' {
  return kind === 'alert' && alertType === 'error' ? 'high' : priority;
}

const plainContent = z.object({ text: z.string(), options: z.array(z.string()), context: z.string().nullable() });

/** Only at level `none`: any other level keeps the text from services in between. */
export function readableContent({ level, body }: PushedMessage): SignalContent | null {
  return level === 'none' && body.form === 'plain' ? plainContent.parse(JSON.parse(body.json)) : null;
}
