// A place for the store on PostgreSQL.
import type { Appended, Store } from '../../ports/store.js';

export interface PostgresStoreOptions {
  url: string;
  manualLeaseMs: number;
  usesHubTime?: boolean;
  onBatch(commands: number, ms: number): void;
  onNotices(notices: readonly { sessionId: string; appended: Appended }[]): void;
  onBug(command: string, stack: string): void;
  onLog?(event: string, fields: Record<string, unknown>): void;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  throw new Error(`not yet: ${options.manualLeaseMs}`);
}
