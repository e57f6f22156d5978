// Terminates the server process of a lost or unresponsive connection.
import type { PoolClient } from 'pg';
import type { Tx } from './transaction.js';

/** True once the process has ended. Checks the name too, because process ids are reused. */
export async function terminateBackend(tx: Tx, client: PoolClient): Promise<boolean> {
  const { processID, connectionName } = identityOf(client);
  if (processID === null) return true;
  const rows = await tx.all(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid = ? and application_name = ?',
    [processID, connectionName],
  );
  return rows.length === 0;
}

/** Safe: the driver has both fields; its types do not declare them. */
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
