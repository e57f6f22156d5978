// Channels and quiet hours are a person's own.
import { personOnly } from './decide-channel.js';
import type { Caller } from '../../ports/caller.js';
import type { Store } from '../../ports/store.js';

/** The calling person's id. */
export async function requirePerson(store: Pick<Store, 'findAgent'>, { sessionId, agentId }: Caller): Promise<string> {
  if (agentId === null || !(await isPerson(store, sessionId, agentId))) throw personOnly();
  return agentId;
}

/** Null for an administrator who is no person: all of the session are meant. */
export async function ownerOf(
  store: Pick<Store, 'findAgent'>,
  { sessionId, agentId, capabilities }: Caller,
): Promise<string | null> {
  if (agentId !== null && (await isPerson(store, sessionId, agentId))) return agentId;
  if (capabilities.has('admin')) return null;
  throw personOnly();
}

async function isPerson(store: Pick<Store, 'findAgent'>, sessionId: string, id: string): Promise<boolean> {
  return (await store.findAgent({ sessionId, id }))?.kind === 'human';
}
