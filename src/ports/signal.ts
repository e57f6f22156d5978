// Questions, permission prompts and alerts as the store holds them, and what seals them.
import type { Appended } from './messages.js';
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
} from '../contract/signal/signal.js';

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
  /** Recipients who have none, where others have one: they cannot read it. */
  withoutDevice: string[];
}

/** Seals what goes to people and opens what comes back. Plain text is in memory only for the call. */
export interface Sealer {
  /** The strongest level that the recipients' devices allow; `none` if `encrypt` is false. */
  seal(signal: OpenSignal, encrypt: boolean): Promise<SealedSignal>;
  /** An answer that reached the hub in plain text: from the command line, or with a person's key. */
  sealAnswer(signal: SignalRecord, answer: SignalAnswer): Promise<StoredBody>;
  /** Throws ENVELOPE_INVALID unless the device signed this as the answer to this signal. */
  requireAnswerOf(signal: SignalRecord, device: DeviceRecord, envelope: Envelope): Promise<void>;
  /** Throws ENVELOPE_INVALID unless it is signed by keys of the sender, for devices of the people. */
  requireSealedBy(signal: Pick<SignalRecord, 'sessionId' | 'sender' | 'people'>, envelope: Envelope): Promise<void>;
  /** Public keys of who sealed it; null if it is no envelope, or they are forgotten. */
  senderKeys(signal: SignalRecord): Promise<PublicKeys | null>;
  /** Null if the hub cannot open it: only devices can. */
  openContent(signal: SignalRecord): Promise<SignalContent | null>;
  /** The answer, or the default answer of an expired question; null if there is none, or if only the agent's program can open it. */
  openAnswer(signal: SignalRecord): Promise<SignalAnswer | null>;
}

/** Before it has an answer. */
export type NewSignal = Omit<SignalRecord, 'status' | 'answer' | 'answeredBy' | 'answeredOn' | 'endedAt'>;

export interface AddSignalPlan {
  sessionId: string;
  signal: NewSignal;
  /** A retry has the same key and the same MAC over the request. */
  key: { key: string; mac: string } | null;
}

/** Where it goes besides the lists of its recipients. */
export interface SignalReach {
  /** Paired devices. */
  devices: number;
  channels: number;
}

/** How a question leaves `pending`. */
export type SignalEnd =
  | { status: 'answered' | 'declined'; by: string; on: string | null; answer: StoredBody | null }
  | { status: 'cancelled'; by: string; answer: StoredBody | null };

export interface SignalQuery {
  sessionId: string;
  /** Those that this agent sent or received; null: all. */
  of: string | null;
  kinds: 'questions' | 'alerts';
  status: SignalStatus | null;
  now: number;
  limit: number;
  /** `askedAt` and id of the last one of the page before. */
  before: (string | number)[] | null;
}

/** The part of the store that holds signals. */
export interface SignalStore {
  /** The people named, or every person of the session; throws if one is unknown or an agent, or if there is none. */
  signalRecipients(query: { sessionId: string; to: string[] | null }): Promise<string[]>;
  /** With its recipients and pushes. A retry returns the first one. */
  addSignal(plan: AddSignalPlan): Promise<{ signal: SignalRecord; duplicate: boolean; reach: SignalReach }>;
  /** The first to end it wins; throws if it is not pending. Tells the asker. */
  endSignal(plan: {
    sessionId: string;
    id: string;
    at: number;
    end: SignalEnd;
  }): Promise<{ signal: SignalRecord; appended: Appended[] }>;
  /** Sessions with questions past their time that are still pending. */
  sessionsWithDueSignals(query: { now: number }): Promise<string[]>;
  /** Ends some of them. */
  expireSignals(plan: {
    sessionId: string;
    now: number;
  }): Promise<{ expired: number; appended: Appended[]; hasMore: boolean }>;
  findSignal(query: { sessionId: string; id: string }): Promise<SignalRecord | null>;
  /** Newest first; `before` is null at the end. */
  listSignals(query: SignalQuery): Promise<{ signals: SignalRecord[]; before: (string | number)[] | null }>;
  /** Names of agents and people, by id; those that are gone are left out. */
  agentNames(query: { sessionId: string; ids: string[] }): Promise<Record<string, string>>;
  /** Deletes some of those that ended before then. */
  pruneSignals(plan: { sessionId: string; before: number }): Promise<{ removed: number; hasMore: boolean }>;
}
