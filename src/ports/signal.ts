// Questions, permission prompts and alerts as the store holds them, and what seals them.
import type { Priority } from '../contract/message.js';
import type {
  AlertType,
  EncryptionLevel,
  Envelope,
  PublicKeys,
  SignalAnswer,
  SignalContent,
  SignalKind,
  SignalStatus,
} from '../contract/signal.js';

/** A text as it is stored. A box is sealed with a key of the hub that is not in the database. */
export type StoredBody =
  { form: 'plain'; json: string } | { form: 'box'; box: string } | { form: 'envelope'; envelope: Envelope };

export interface SignalRecord {
  sessionId: string;
  id: string;
  kind: SignalKind;
  sender: string;
  /** The people it went to. */
  people: string[];
  status: SignalStatus;
  level: EncryptionLevel;
  priority: Priority;
  alertType: AlertType | null;
  /** A thread, or a label. */
  threadId: string | null;
  inReplyTo: string | null;
  projectId: string | null;
  /** The sender's own session. */
  label: string | null;
  optionCount: number;
  /** SHA-256 of the tool call that a permission prompt is about. */
  callHash: string | null;
  body: StoredBody;
  defaultAnswer: StoredBody | null;
  answer: StoredBody | null;
  answeredBy: string | null;
  /** The device's name. */
  answeredOn: string | null;
  askedAt: number;
  expiresAt: number | null;
  endedAt: number | null;
}

export interface DeviceRecord extends PublicKeys {
  sessionId: string;
  id: string;
  personId: string;
  name: string;
  mac: string | null;
  pairedAt: number;
  verifiedAt: number | null;
  revokedAt: number | null;
  lastSeenAt: number | null;
}

/** A signal before it is sealed. */
export interface OpenSignal {
  sessionId: string;
  id: string;
  kind: SignalKind;
  people: readonly string[];
  content: SignalContent;
  defaultAnswer: SignalAnswer | null;
  callHash: string | null;
  at: number;
  expiresAt: number | null;
}

export interface SealedSignal {
  level: EncryptionLevel;
  body: StoredBody;
  defaultAnswer: StoredBody | null;
  /** Devices that can read it. */
  devices: number;
}

/** Seals what goes to people and opens what comes back. Plain text is in memory only for the call. */
export interface Sealer {
  /** The strongest level that the recipients' devices allow; `none` if `encrypt` is false. */
  seal(signal: OpenSignal, encrypt: boolean): Promise<SealedSignal>;
  /** An answer that reached the hub in plain text: from the command line, or with a person's key. */
  sealAnswer(signal: SignalRecord, answer: SignalAnswer): Promise<StoredBody>;
  /** Throws ENVELOPE_INVALID unless the device signed this as the answer to this signal. */
  requireAnswerOf(signal: SignalRecord, device: DeviceRecord, envelope: Envelope): Promise<void>;
  /** Null if the hub cannot open it: only devices can. */
  openContent(signal: SignalRecord): Promise<SignalContent | null>;
  /** The answer, or the default answer of an expired question; null if there is none, or if only the agent's program can open it. */
  openAnswer(signal: SignalRecord): Promise<SignalAnswer | null>;
}
