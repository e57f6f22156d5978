-- The hub's first schema. What a send writes is kept small: one message row, one seq entry, one pending row per copy.

create table session (
  id         text primary key,
  salt       integer not null,          -- colours message ids, see src/contract/ids.ts
  created_at integer not null,
  closed_at  integer
) without rowid;

create table agent (
  session_id    text    not null,
  id            text    not null,
  name          text    not null,
  description   text    not null,
  capabilities  text    not null,       -- JSON list
  kind          text    not null,
  owner         text    not null,
  registered_at integer not null,
  last_seen_at  integer not null,
  primary key (session_id, id)
) without rowid;

create table agent_group (
  session_id text not null,
  name       text not null,
  members    text not null,             -- JSON list
  primary key (session_id, name)
) without rowid;

create table thread (
  session_id  text    not null,
  id          text    not null,
  title       text    not null,
  status      text    not null,
  creator     text    not null,
  is_critical integer not null,
  is_private  integer not null,
  summary     text,
  created_at  integer not null,
  primary key (session_id, id)
) without rowid;

create index thread_by_age on thread (session_id, created_at, id);

create table member (
  session_id text    not null,
  thread_id  text    not null,
  agent_id   text    not null,
  place      integer not null,          -- order of joining
  from_seq   integer not null,          -- what came before it is not shown to this member
  primary key (session_id, thread_id, agent_id)
) without rowid;

create index member_by_agent on member (session_id, agent_id);

create table critical_thread (
  session_id  text    not null,
  thread_id   text    not null,
  opener      text    not null,
  opening     integer not null,         -- a seq; answers come after it
  wanted      integer not null,
  required    text    not null,         -- JSON list
  eligible    text    not null,         -- JSON list: members at the opening but for the opener
  deadline    integer not null,
  all_read_at integer,                  -- when the opener was told that all have read
  primary key (session_id, thread_id)
) without rowid;

-- The first answer of each member of a critical thread.
create table critical_answer (
  session_id text    not null,
  thread_id  text    not null,
  agent_id   text    not null,
  seq        integer not null,
  at         integer not null,
  primary key (session_id, thread_id, agent_id)
) without rowid;

-- History. Clustered by arrival so that a batch of sends writes neighbouring pages.
create table message (
  n           integer primary key,
  session_id  text    not null,
  seq         integer not null,
  thread_id   text,
  sender      text    not null,
  name        text,                     -- null when it equals the sender's id
  at          integer not null,
  rank        integer not null,
  role        text    not null,
  type        text,
  priority    text    not null,
  action      text    not null,
  urgent      integer not null,
  reply_to    integer,                  -- a seq
  hops        integer,                  -- quick replies that led to it, null when it is not a reply
  target      text,
  content     text    not null,         -- JSON list of blocks
  mentions    text,                     -- JSON list
  extras      text,                     -- JSON: context, payload, metadata, label, shareThinking
  expires_at  integer,
  recipients  text    not null          -- JSON list; with pending and delivery it says where every copy stands
);

create unique index message_by_seq on message (session_id, seq);

-- What messages refer to, once per session however often it is sent.
create table attachment (
  n          integer primary key,
  session_id text    not null,
  hash       text    not null,          -- SHA-256 of the data, in hex
  media_type text    not null,          -- as it was first sent; each message has its own word for it
  data       blob    not null
);

create unique index attachment_by_hash on attachment (session_id, hash);

create table attachment_use (
  session_id text    not null,
  seq        integer not null,
  hash       text    not null,
  primary key (session_id, seq, hash)
) without rowid;

create index attachment_use_by_hash on attachment_use (session_id, hash, seq);

-- Whatever deletes a message: its attachments go with the last one that uses them.
create trigger message_gone after delete on message begin
  delete from attachment_use where session_id = old.session_id and seq = old.seq;
end;

create trigger attachment_use_gone after delete on attachment_use begin
  delete from attachment where session_id = old.session_id and hash = old.hash and not exists
    (select 1 from attachment_use u where u.session_id = old.session_id and u.hash = old.hash);
end;

-- Indexes of history, by thread, sender and reader, filled in the background up to the watermark so that a send does
-- not pay for them; readers scan the short tail behind it.
create table thread_message (
  session_id text    not null,
  thread_id  text    not null,
  seq        integer not null,
  primary key (session_id, thread_id, seq)
) without rowid;

create table sender_message (
  session_id text    not null,
  agent_id   text    not null,
  seq        integer not null,
  primary key (session_id, agent_id, seq)
) without rowid;

-- By everyone who got a copy, and by the group or agent the sender addressed.
create table reader_message (
  session_id text    not null,
  agent_id   text    not null,
  seq        integer not null,
  primary key (session_id, agent_id, seq)
) without rowid;

-- The times of each stretch of history that was indexed at once. Order is seq, never time, and a clock may step back:
-- these lead a question about times to the stretches that can hold its answer.
create table message_span (
  session_id  text    not null,
  first_seq   integer not null,
  last_seq    integer not null,
  earliest_at integer not null,
  latest_at   integer not null,
  primary key (session_id, first_seq)
) without rowid;

-- Which messages have which words; its rowid is the message's n. It keeps neither text nor places: what it finds is
-- read again in the message. Filled in the background behind a watermark of its own, because words cost more.
create virtual table message_word using fts5 (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = 3);

create table watermark (
  name text primary key,
  n    integer not null
) without rowid;

insert into watermark (name, n) values ('flushed', 0);
insert into watermark (name, n) values ('history', 0), ('search', 0);

-- Copies that have not ended: small and hot. The key is the inbox order and never changes.
create table pending (
  session_id  text    not null,
  agent_id    text    not null,
  lane        integer not null,         -- 0 wakes a wait for mentions, 1 plain thread posts
  rank        integer not null,         -- 0 interrupt, then priority
  seq         integer not null,
  n           integer not null,         -- the message row
  why         text    not null,
  attempts    integer not null default 0,
  ran_out     integer not null default 0, -- manual leases that ran out; only these lead to a dead letter
  lease_token text,                     -- null: free; else handed out, in doubt
  lease_until integer,                  -- monotonic
  is_manual   integer,
  is_excused  integer,                  -- 1: the hub died during this lease; its running out does not count
  leased_at   integer,
  expires_at  integer,
  wants_receipt integer,                -- 1: the sender is told how it ends; 2: the opening of a critical thread
  notice      text,                     -- the kind of the hub's own notice, or 'digest'
  digest      integer,                  -- the seq of the digest that stands for it; it ends as the digest ends
  primary key (session_id, agent_id, lane, rank, seq)
) without rowid;

create index pending_by_expiry on pending (expires_at) where expires_at is not null;
create index pending_by_lease on pending (lease_until) where is_manual = 1;

-- Copies that have ended, in order of arrival.
create table delivery (
  n            integer not null,
  agent_id     text    not null,
  session_id   text    not null,
  state        text    not null,        -- read, expired, dead_lettered
  at           integer not null,
  attempts     integer not null,
  delivered_at integer,
  lane         integer not null,
  why          text    not null,
  reason       text,
  primary key (n, agent_id)
) without rowid;

create table dead_letter (
  id         integer primary key autoincrement, -- never used again: a letter that left the list stays unknown
  session_id text    not null,
  seq        integer not null,
  recipient  text    not null,
  reason     text    not null,
  at         integer not null
);

create index dead_letter_by_session on dead_letter (session_id, id);

create table notify_prefs (
  session_id text not null,
  agent_id   text not null,
  prefs      text not null,             -- JSON
  primary key (session_id, agent_id)
) without rowid;

create table notify_template (
  session_id text not null,
  name       text not null,
  text       text not null,
  primary key (session_id, name)
) without rowid;

-- In order of arrival, which is the order of expiry: only the small index grows at random places.
create table idempotency (
  n          integer primary key,
  session_id text    not null,
  sender     text    not null,
  key        text    not null,
  hash       text    not null,
  result     text    not null,          -- JSON: the first answer
  expires_at integer not null
);

create unique index idempotency_by_key on idempotency (session_id, sender, key);
