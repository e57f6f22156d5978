// The audit log: who did which administrative act, or read the mail of others.

export interface AuditEntry {
  sessionId: string;
  at: number;
  /** The agent, or `cli`; empty for a caller without a name. */
  actor: string;
  /** Null in open mode and for the command line. */
  keyId: string | null;
  /** The address the request came from; empty for the command line. */
  address: string;
  /** The operation, or the command. */
  act: string;
  /** What it was done to: an id or a name. */
  target: string;
  details: Readonly<Record<string, unknown>>;
}

export interface AuditRecord extends AuditEntry {
  id: number;
}

export interface AuditQuery {
  sessionId: string;
  actor: string | null;
  act: string | null;
  since: number | null;
  until: number | null;
  limit: number;
  /** Only older entries. */
  before: number | null;
}
