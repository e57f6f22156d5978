-- Works for hubs from: 5
-- A deep inbox is read by sender, thread, target and type through indexes. See docs/decisions/0026-deep-inboxes.md.

-- Null: not filed, as a send writes it; no index has such a copy, so that a send pays nothing. Empty: written by a hub that does not
-- know these columns. Else the copy is filed, and the four columns equal those of its message.
alter table pending add column sender text default '';
alter table pending add column thread_id text;
alter table pending add column type text;
alter table pending add column target text;

-- Copies of this agent up to this seq are filed, or have an empty sender.
alter table agent add column filed_seq integer;

create index pending_by_sender on pending (session_id, agent_id, sender, lane, rank, seq) where sender is not null;
create index pending_by_thread on pending (session_id, agent_id, thread_id, lane, rank, seq) where thread_id is not null;
create index pending_by_target on pending (session_id, agent_id, target, lane, rank, seq) where target is not null;
create index pending_by_type on pending (session_id, agent_id, type, lane, rank, seq) where type is not null;

-- A cursor names a lease, and a start frees the leases of earlier runs.
create index pending_by_token on pending (session_id, agent_id, lease_token, lane, rank, seq) where lease_token is not null;

-- An agent in no thread does not look at all private ones.
create index thread_public_by_age on thread (session_id, created_at, id) where is_private = 0;

-- Of removed agents with deep inboxes: their copies up to this seq end in steps.
create table removed_inbox (
  session_id text not null,
  agent_id   text not null,
  seq        integer not null,
  at         integer not null,
  primary key (session_id, agent_id)
) without rowid;
