// Values of questions, permission prompts and alerts, as callers see them.
import { z } from 'zod';

export const encryptionLevels = ['end_to_end', 'device', 'hub', 'none'] as const;
export type EncryptionLevel = (typeof encryptionLevels)[number];

export const signalKinds = ['question', 'permission', 'alert'] as const;
export type SignalKind = (typeof signalKinds)[number];

export const questionStatuses = ['pending', 'answered', 'declined', 'expired', 'cancelled'] as const;
export type QuestionStatus = (typeof questionStatuses)[number];
/** Of an alert: nothing more happens to it. */
export type SignalStatus = QuestionStatus | 'sent';

export const alertTypes = ['error', 'warning', 'success', 'info'] as const;
export type AlertType = (typeof alertTypes)[number];

/** The public keys of a device, an agent's program or the hub, each base64url of a raw P-256 point. */
export const publicKeys = z.object({
  /** Hash of both keys. */
  kid: z.string().max(64),
  encryption: z.string().max(128),
  signing: z.string().max(128),
});
export type PublicKeys = z.output<typeof publicKeys>;

/** The content key, wrapped for one recipient. */
export const wrappedKey = z.object({ k: z.string().max(64), e: z.string().max(128), w: z.string().max(128) });
export type WrappedKey = z.output<typeof wrappedKey>;

/** A sealed text: see docs/decisions/0020-signal.md. All values are base64url. */
export const envelope = z.object({
  v: z.literal(1),
  h: z.string().max(2_000),
  r: z.array(wrappedKey).max(100),
  c: z.string().max(64 * 1024),
  s: z.string().max(128),
});
export type Envelope = z.output<typeof envelope>;

/** What a person reads of a question or a permission prompt; for an alert `text` is its message. */
export interface SignalContent {
  text: string;
  options: string[];
  context: string | null;
  /** Of a permission prompt. */
  toolCall?: ToolCall;
}

export interface ToolCall {
  tool: string;
  /** The call's input as JSON, exactly as it is hashed. */
  input: string;
  cwd: string | null;
}

/** What a person answered. */
export interface SignalAnswer {
  /** From 1; null for free text alone. */
  option: number | null;
  /** The option's text, or the free text. Of a declined question the reason. */
  response: string;
}
