// What a connection that broke, or fell silent, has left behind at the server.
import type { PoolClient } from 'pg';
import type { Tx } from './transaction.js';

/** Ends the server process it had, and says whether it has ended. Process numbers come again, names do not. */
export async function isGone(tx: Tx, client: PoolClient): Promise<boolean> {
  const { processID, connectionName } = identityOf(client);
  if (processID === null) return true;
  const rows = await tx.all(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid = ? and application_name = ?',
    [processID, connectionName],
  );
  return rows.length === 0;
}

/** The driver has both; its types name neither. */
function identityOf(client: PoolClient): { processID: number | null; connectionName: string } {
  const known = client as unknown as {
    processID?: number | null;
    connectionParameters?: { application_name?: string };
  };
  return {
    processID: known.processID ?? null,
    connectionName: known.connectionParameters?.application_name ?? '',
  };
}
