// What one push carries. A browser that knows declarative pushes shows `notification` by itself; the service worker shows
// the decrypted text in its place.
import type { AlertType, EncryptionLevel, Envelope, PublicKeys, SignalKind } from './signal.js';

export interface PushPayload {
  /** Marks a declarative push. */
  web_push: 8030;
  /** Generic text: nothing of the question. */
  notification: { title: string; body: string; navigate: string; tag: string };
  signal: PushedSignal;
}

/** As in list_questions and list_alerts. Absent fields did not fit into a push, or the hub cannot read them. */
export interface PushedSignal {
  id: string;
  kind: SignalKind | 'test';
  from: string;
  fromName: string;
  encryption: EncryptionLevel;
  alertType?: AlertType;
  callHash?: string;
  sealed?: Envelope;
  senderKeys?: PublicKeys;
  question?: string;
  options?: string[];
  /** Of an alert. */
  message?: string;
}
