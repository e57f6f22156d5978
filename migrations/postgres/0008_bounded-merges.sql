-- Works for hubs from: 5
-- Runs alone
-- Builds the indexes for the columns of 0007. On SQLite, where 0007 has them, the writer merges the word index in short steps.

create index concurrently if not exists pending_by_sender
  on pending (session_id, agent_id, sender, lane, rank, seq) where sender is not null;
create index concurrently if not exists pending_by_thread
  on pending (session_id, agent_id, thread_id, lane, rank, seq) where thread_id is not null;
create index concurrently if not exists pending_by_target
  on pending (session_id, agent_id, target, lane, rank, seq) where target is not null;
create index concurrently if not exists pending_by_type
  on pending (session_id, agent_id, type, lane, rank, seq) where type is not null;

-- A cursor names a lease.
create index concurrently if not exists pending_by_token
  on pending (session_id, agent_id, lease_token, lane, rank, seq) where lease_token is not null;

-- An agent in no thread does not look at all private ones.
create index concurrently if not exists thread_public_by_age
  on thread (session_id, created_at, id) where is_private = 0;
