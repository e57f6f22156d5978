// A stored session as its administrator sees it: without null fields.
import type { ListedSessionView, SessionView } from '../contract/session.js';
import type { ListedSession, SessionRecord } from '../ports/store.js';

export function viewSession(record: SessionRecord): SessionView {
  const { id, createdAt, application, annotations, expiresAt, closure } = record;
  return {
    sessionId: id,
    status: closure === null ? 'open' : 'closed',
    createdAt: timeOf(createdAt),
    ...(application === null ? {} : { application }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(expiresAt === null ? {} : { expiresAt: timeOf(expiresAt) }),
    ...(closure === null ? {} : { closedAt: timeOf(closure.at) }),
    ...(closure === null || closure.reason === null ? {} : { closeReason: closure.reason }),
  };
}

export function viewListed({ agents, threads, lastSeq, ...record }: ListedSession): ListedSessionView {
  return { ...viewSession(record), agents, threads, lastSeq };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
