// What the hub answers, as far as the app uses it.
import type { AlertType, EncryptionLevel, Envelope, PublicKeys, QuestionStatus } from '../../../src/contract/signal.js';
import type { Message } from '../../../src/contract/message.js';

export type { AlertType, EncryptionLevel, Envelope, Message, PublicKeys, QuestionStatus };

export interface SignedIn {
  person: string;
  personName: string;
  session: string;
  deviceId: string;
  deviceName: string;
  verified: boolean;
}

export interface ConnectLine {
  id: string;
  client: string;
  text: string;
  file?: string;
}

/** GET /app/hub */
export interface HubInfo {
  hubId: string;
  name: string;
  version: string;
  url: string;
  mode: 'open' | 'keys';
  isLoopback: boolean;
  isSecure: boolean;
  /** In open mode on this machine: who the page speaks for without a device. */
  localPerson?: string;
  signedIn?: SignedIn;
  hub?: PublicKeys & { vapid: string };
  connect?: ConnectLine[];
}

export interface ToolCallView {
  tool: string;
  input: string;
  cwd: string | null;
}

export interface QuestionView {
  id: string;
  kind: 'question' | 'permission';
  from: string;
  fromName?: string;
  to: string[];
  status: QuestionStatus;
  priority?: 'low' | 'normal' | 'high';
  projectId?: string;
  threadId?: string;
  inReplyTo?: string;
  askedAt: string;
  expiresAt?: string;
  encryption: EncryptionLevel;
  optionCount: number;
  callHash?: string;
  question?: string;
  options?: string[];
  context?: string | null;
  toolCall?: ToolCallView;
  sealed?: Envelope;
  senderKeys?: PublicKeys;
  missingWraps?: string[];
  answeredAt?: string;
  answeredBy?: string;
  answeredOn?: string;
  response?: string;
  option?: number;
  reason?: string;
  isDefault?: boolean;
  sealedAnswer?: Envelope;
  defaultAnswer?: string;
}

export interface AlertView {
  id: string;
  from: string;
  fromName?: string;
  alertType: AlertType;
  priority?: 'low' | 'normal' | 'high';
  projectId?: string;
  sentAt: string;
  encryption: EncryptionLevel;
  message?: string;
  context?: string | null;
  sealed?: Envelope;
  senderKeys?: PublicKeys;
}
