// What the hub answers, as far as the app uses it.
import type { Message } from '../../../src/contract/message.js';
import type { AlertView, QuestionView } from '../../../src/contract/signal/question.js';
import type { AlertType, EncryptionLevel, PublicKeys } from '../../../src/contract/signal/signal.js';

export type { AlertType, AlertView, EncryptionLevel, Message, PublicKeys, QuestionView };

export interface SignedIn {
  session: string;
  capabilities?: readonly string[];
  /** Not for an observer. */
  person?: string;
  personName?: string;
  /** False for an administrator that is an agent. */
  isPerson?: boolean;
  /** By a paired device. */
  deviceId?: string;
  deviceName?: string;
  verified?: boolean;
  /** By a key that was pasted, or by an observer's link. */
  keyId?: string;
  expiresAt?: string | null;
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
