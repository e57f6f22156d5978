// Group rows, cached with the version of the session.
import { remember } from '../connection/hub-memory.js';
import type { Tx } from '../connection/transaction.js';
import { findSession } from './sessions.js';

export async function groupMembers(tx: Tx, sessionId: string, name: string): Promise<string[] | undefined> {
  const session = await findSession(tx, sessionId);
  const known = session?.groups.get(name);
  if (session === undefined || known !== undefined) return known;
  const row = await tx.get<{ members: string }>('select members from agent_group where session_id = ? and name = ?', [
    sessionId,
    name,
  ]);
  if (row === undefined) return undefined;
  const members = JSON.parse(row.members) as string[];
  remember(session.groups, name, members);
  return members;
}
