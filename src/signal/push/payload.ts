// The text of a Web Push: what a browser may show by itself, and for the app's worker the sealed question.
import { z } from 'zod';
import type { PushPayload, PushedSignal } from '../../contract/signal/push-payload.js';
import type { Envelope, PublicKeys } from '../../contract/signal/signal.js';
import { plaintextBytesMax } from './encrypt.js';
import { headlineOf, linkTo, readableContent, type PushedMessage } from './pushed-message.js';

export interface PayloadFacts {
  appUrl: string;
  /** Of the subscription's device. */
  kid: string | null;
  hubKeys: PublicKeys;
}

/** The first that fits into a push: the whole, or without content. The app fetches what is missing. */
export function payloadOf(message: PushedMessage, facts: PayloadFacts): Buffer {
  const whole = Buffer.from(JSON.stringify(wholePayload(message, facts)));
  return whole.length <= plaintextBytesMax ? whole : shortPayload(message, facts);
}

/** The id alone, for a service that takes less. */
export function shortPayload(message: PushedMessage, facts: PayloadFacts): Buffer {
  return Buffer.from(JSON.stringify(payloadWith(message, facts, {})));
}

function wholePayload(message: PushedMessage, facts: PayloadFacts): PushPayload {
  const content = readableContent(message);
  if (content === null) return payloadWith(message, facts, sealedFor(message, facts));
  const { text, options } = content;
  const isAlert = message.kind === 'alert' || message.kind === 'test';
  return payloadWith(message, facts, isAlert ? { message: text } : { question: text, options });
}

function payloadWith(message: PushedMessage, { appUrl }: PayloadFacts, more: Partial<PushedSignal>): PushPayload {
  const { id, kind, sender, senderName, level, alertType, callHash } = message;
  return {
    web_push: 8030,
    notification: {
      title: headlineOf(message),
      body: kind === 'test' ? 'This channel works.' : 'Open it to read and answer.',
      navigate: linkTo(appUrl, message),
      tag: id,
    },
    signal: {
      id,
      kind,
      from: sender,
      fromName: senderName,
      encryption: level,
      ...(alertType === null ? {} : { alertType }),
      ...(callHash === null ? {} : { callHash }),
      ...more,
    },
  };
}

/** With the wrap for this device alone: the others' say who else reads it. */
function sealedFor({ body, level, agentKeys }: PushedMessage, { kid, hubKeys }: PayloadFacts): Partial<PushedSignal> {
  if (body.form !== 'envelope') return {};
  const { envelope } = body;
  const wraps = envelope.r.filter(({ k }) => k === kid);
  if (wraps.length === 0) return {};
  const from = senderOf(envelope);
  const senderKeys = level === 'device' ? hubKeys : agentKeys.find((keys) => keys.kid === from);
  return {
    sealed: { ...envelope, r: wraps },
    ...(senderKeys === undefined ? {} : { senderKeys: publicPart(senderKeys) }),
  };
}

function publicPart({ kid, encryption, signing }: PublicKeys): PublicKeys {
  return { kid, encryption, signing };
}

const header = z.looseObject({ from: z.string() });

/** The key id that the header names; the worker checks the signature. */
function senderOf({ h }: Envelope): string | undefined {
  try {
    return header.parse(JSON.parse(Buffer.from(h, 'base64url').toString())).from;
  } catch {
    return undefined;
  }
}
