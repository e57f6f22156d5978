-- The hub's first schema, the twin of SQLite's. Every table of a session's data leads with session_id, so that an engine
-- that spreads tables over machines can do so by it. Texts are in the order of their bytes, as on SQLite, whatever the
-- database's own order is.

create table session (
  id         text collate "C" primary key,
  salt       integer not null,          -- colours message ids, see src/contract/ids.ts
  created_at bigint  not null,
  closed_at  bigint,
  -- Rises with every change of what a send must know: agents, threads, members, groups, filters. Whoever appends a
  -- message locks this row first, so it also gives the session its order.
  version    bigint  not null default 1
);

create table agent (
  session_id    text collate "C"   not null,
  id            text collate "C"   not null,
  name          text collate "C"   not null,
  description   text collate "C"   not null,
  capabilities  text collate "C"   not null,        -- JSON list
  kind          text collate "C"   not null,
  owner         text collate "C"   not null,
  registered_at bigint not null,
  last_seen_at  bigint not null,
  primary key (session_id, id)
);

create table agent_group (
  session_id text collate "C" not null,
  name       text collate "C" not null,
  members    text collate "C" not null,             -- JSON list
  primary key (session_id, name)
);

create table thread (
  session_id  text collate "C"    not null,
  id          text collate "C"    not null,
  title       text collate "C"    not null,
  status      text collate "C"    not null,
  creator     text collate "C"    not null,
  is_critical integer not null,
  is_private  integer not null,
  summary     text collate "C",
  created_at  bigint  not null
);

create index thread_by_age on thread (session_id, created_at, id);
-- After the indexes, here and below: of two that look alike to it, as on an empty table, the server takes the last made.
alter table thread add primary key (session_id, id);

create table member (
  session_id text collate "C"    not null,
  thread_id  text collate "C"    not null,
  agent_id   text collate "C"    not null,
  place      integer not null,          -- order of joining
  from_seq   bigint  not null           -- what came before it is not shown to this member
);

create index member_by_agent on member (session_id, agent_id);
alter table member add primary key (session_id, thread_id, agent_id);

create table critical_thread (
  session_id  text collate "C"    not null,
  thread_id   text collate "C"    not null,
  opener      text collate "C"    not null,
  opening     bigint  not null,         -- a seq; answers come after it
  wanted      integer not null,
  required    text collate "C"    not null,         -- JSON list
  eligible    text collate "C"    not null,         -- JSON list: members at the opening but for the opener
  deadline    bigint  not null,
  all_read_at bigint,                   -- when the opener was told that all have read
  primary key (session_id, thread_id)
);

-- The first answer of each member of a critical thread.
create table critical_answer (
  session_id text collate "C"   not null,
  thread_id  text collate "C"   not null,
  agent_id   text collate "C"   not null,
  seq        bigint not null,
  at         bigint not null,
  primary key (session_id, thread_id, agent_id)
);

create table message (
  session_id  text collate "C"    not null,
  seq         bigint  not null,
  origin      bigint  not null,         -- the batch that wrote it: a hub that lost its connection looks here whether it did
  thread_id   text collate "C",
  sender      text collate "C"    not null,
  name        text collate "C",                     -- null when it equals the sender's id
  at          bigint  not null,
  rank        integer not null,
  role        text collate "C"    not null,
  type        text collate "C",
  priority    text collate "C"    not null,
  action      text collate "C"    not null,
  urgent      integer not null,
  reply_to    bigint,                   -- a seq
  hops        integer,                  -- quick replies that led to it, null when it is not a reply
  target      text collate "C",
  content     text collate "C"    not null,         -- JSON list of blocks
  mentions    text collate "C",                     -- JSON list
  extras      text collate "C",                     -- JSON: context, payload, metadata, label, shareThinking
  expires_at  bigint,
  recipients  text collate "C"    not null          -- JSON list; with pending and delivery it says where every copy stands
);

create index message_by_thread on message (session_id, thread_id, seq) where thread_id is not null;
create index message_by_sender on message (session_id, sender, seq);
create index message_by_target on message (session_id, target, seq) where target is not null;
alter table message add primary key (session_id, seq);

-- What messages refer to, once per session however often it is sent.
create table attachment (
  session_id text collate "C"  not null,
  hash       text collate "C"  not null,            -- SHA-256 of the data, in hex
  media_type text collate "C"  not null,            -- as it was first sent; each message has its own word for it
  data       bytea not null,
  primary key (session_id, hash)
);

-- Parts are asked for: what is not compressed can be read from its middle.
alter table attachment alter column data set storage external;

create table attachment_use (
  session_id text collate "C"   not null,
  seq        bigint not null,
  hash       text collate "C"   not null
);

create index attachment_use_by_hash on attachment_use (session_id, hash, seq);
alter table attachment_use add primary key (session_id, seq, hash);

-- Whatever deletes a message: its attachments go with the last one that uses them. Whoever does so holds the session's
-- order, so that no send comes to use what is just being deleted.
create function forget_attachment_uses() returns trigger language plpgsql as $$
begin
  delete from attachment_use where session_id = old.session_id and seq = old.seq;
  return null;
end $$;

create trigger message_gone after delete on message for each row execute function forget_attachment_uses();

create function forget_unused_attachment() returns trigger language plpgsql as $$
begin
  delete from attachment where session_id = old.session_id and hash = old.hash and not exists
    (select 1 from attachment_use u where u.session_id = old.session_id and u.hash = old.hash);
  return null;
end $$;

create trigger attachment_use_gone after delete on attachment_use
  for each row execute function forget_unused_attachment();

-- Which messages have which words. Filled in the background up to each session's watermark, because words cost more
-- than the send; what is found is read again in the message.
create table message_word (
  session_id text collate "C"     not null,
  seq        bigint   not null,
  words      tsvector not null,
  primary key (session_id, seq)
);

create extension if not exists btree_gin;
create index message_word_by_word on message_word using gin (session_id, words);

create table word_mark (
  session_id text collate "C"   primary key,
  seq        bigint not null            -- messages up to this one are in message_word
);

-- Copies that have not ended: small and hot. The key is the inbox order and never changes.
create table pending (
  session_id  text collate "C"    not null,
  agent_id    text collate "C"    not null,
  lane        integer not null,         -- 0 wakes a wait for mentions, 1 plain thread posts
  rank        integer not null,         -- 0 interrupt, then priority
  seq         bigint  not null,
  why         text collate "C"    not null,
  attempts    integer not null default 0,
  ran_out     integer not null default 0, -- manual leases that ran out; only these lead to a dead letter
  lease_token text collate "C",                     -- null: free; else handed out, in doubt
  lease_until bigint,                   -- by the database's clock
  is_manual   integer,
  leased_at   bigint,
  expires_at  bigint,
  wants_receipt integer,                -- 1: the sender is told how it ends; 2: the opening of a critical thread
  notice      text collate "C",                     -- the kind of the hub's own notice, or 'digest'
  digest      bigint,                   -- the seq of the digest that stands for it; it ends as the digest ends
  primary key (session_id, agent_id, lane, rank, seq)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

create index pending_by_expiry on pending (expires_at) where expires_at is not null;
create index pending_by_lease on pending (lease_until) where lease_until is not null;

-- Copies that have ended.
create table delivery (
  session_id   text collate "C"    not null,
  seq          bigint  not null,
  agent_id     text collate "C"    not null,
  state        text collate "C"    not null,        -- read, expired, dead_lettered
  at           bigint  not null,
  attempts     integer not null,
  delivered_at bigint,
  lane         integer not null,
  why          text collate "C"    not null,
  reason       text collate "C",
  primary key (session_id, seq, agent_id)
);

create index delivery_by_agent on delivery (session_id, agent_id, seq);

create table dead_letter (
  session_id text collate "C"   not null,
  id         bigint not null generated always as identity, -- never used again: a letter that left the list stays unknown
  seq        bigint not null,
  recipient  text collate "C"   not null,
  reason     text collate "C"   not null,
  at         bigint not null,
  primary key (session_id, id)
);

create table notify_prefs (
  session_id text collate "C" not null,
  agent_id   text collate "C" not null,
  prefs      text collate "C" not null,             -- JSON
  primary key (session_id, agent_id)
);

create table notify_template (
  session_id text collate "C" not null,
  name       text collate "C" not null,
  text       text collate "C" not null,
  primary key (session_id, name)
);

create table idempotency (
  session_id text collate "C"   not null,
  sender     text collate "C"   not null,
  key        text collate "C"   not null,           -- as a JSON string: it may hold what a text column cannot
  hash       text collate "C"   not null,
  seq        bigint,                    -- of the message that was sent under it
  result     text collate "C"   not null,           -- JSON: the first answer
  expires_at bigint not null,
  primary key (session_id, sender, key)
);

create index idempotency_by_expiry on idempotency (expires_at);

-- Written with what must not be lost from sight: a hub whose connection breaks at the commit looks here whether it was one.
create table commit_mark (
  origin bigint primary key,
  at     bigint not null
);

create index commit_mark_by_time on commit_mark (at);

-- The time that all hubs agree on, in milliseconds.
create function hub_time() returns bigint language sql volatile as
  $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint $$;

-- Appends a batch of messages whose readers the hub has already found, in one round trip and one transaction. The hub
-- found them by what it knew of each session at some version; when that has changed, or the session would move past the
-- seq up to which the readers' inboxes surely have room, nothing of that session is written. Nor is it when one of its
-- messages was sent before under the same key: that one's answer is known, and the others come again without it.
--
-- Everything comes as columns. A message names its session by its place among them, counted from one, and its number
-- among that session's messages of the batch; a copy names its message by its place. A column of nothing but nulls is
-- null. `inbox_*` are the senders, whose unread mail is counted. Columns are unnested side by side and not in `from`,
-- where each would be kept apart until all are read.
--
-- Answers with the seq before each session's first message (null where nothing was written), what was known by its key,
-- and the counts.
create function append_messages(batch bigint, by_hub_time boolean,
    sessions text[], versions bigint[], rooms bigint[], counts integer[],
    places integer[], numbers integer[], senders text[], thread_ids text[], names text[], times bigint[],
    ranks integer[], roles text[], types text[], priorities text[], actions text[], urgents integer[],
    replies_to bigint[], hop_counts integer[], targets text[], contents text[], mention_lists text[],
    all_extras text[], expiries bigint[], recipient_lists text[], receipts integer[],
    keys text[], key_hashes text[], key_results text[], key_expiries bigint[],
    copies_of integer[], readers text[], lanes integer[], reasons text[],
    inbox_places integer[], inbox_agents text[])
  returns json language plpgsql as $$
declare
  bases bigint[];
  known json;
  unread json;
begin
  -- In sorted order, so that no two batches wait for each other in a circle. No new version of the row is written.
  perform 1 from session where id = any(sessions) order by id for no key update;
  -- A later statement sees what was committed before the lock was ours.
  select array_agg(case when t.version = w.version and last.seq + w.count <= w.room then last.seq end order by w.place)
    into bases
    from (select unnest(sessions) as id, unnest(versions) as version, unnest(rooms) as room, unnest(counts) as count,
        generate_subscripts(sessions, 1) as place) w
    left join session t on t.id = w.id
    cross join lateral (select coalesce((select m.seq from message m where m.session_id = w.id
      order by m.seq desc limit 1), 0) as seq) last;
  if keys is not null then
    with before as materialized (
      select k.place, k.number, i.seq, i.hash, i.result
      from (select unnest(places) as place, unnest(numbers) as number, unnest(senders) as sender, unnest(times) as at,
        unnest(keys) as key) k
      join idempotency i on i.session_id = sessions[k.place] and i.sender = k.sender and i.key = k.key
        and i.expires_at > k.at
    )
    select json_agg(before),
        (select array_agg(case when b.place in (select before.place from before) then null else b.seq end
          order by b.place) from unnest(bases) with ordinality as b (seq, place))
      into known, bases from before;
    insert into idempotency (session_id, sender, key, hash, seq, result, expires_at)
      select sessions[k.place], k.sender, k.key, k.hash, bases[k.place] + k.number, k.result, k.expires_at
      from (select unnest(places) as place, unnest(numbers) as number, unnest(senders) as sender, unnest(keys) as key,
        unnest(key_hashes) as hash, unnest(key_results) as result, unnest(key_expiries) as expires_at) k
      where k.key is not null and bases[k.place] is not null
      -- Its day is over, and the reaper has not come by yet.
      on conflict (session_id, sender, key) do update
        set hash = excluded.hash, seq = excluded.seq, result = excluded.result, expires_at = excluded.expires_at;
  end if;
  -- What a hub's clock says may be wrong; how long a message lives it knows.
  if expiries is not null and not by_hub_time then
    select array_agg(m.expires_at - m.at + hub_time() order by m.row) into expiries
      from (select unnest(expiries) as expires_at, unnest(times) as at, generate_subscripts(times, 1) as row) m;
  end if;
  select json_agg((select count(*) from (select 1 from pending p where p.session_id = sessions[o.place]
      and p.agent_id = o.agent_id and p.lane = 0 and p.lease_token is null and p.digest is null limit 1000) own)
      order by o.row)
    into unread
    from (select unnest(inbox_places) as place, unnest(inbox_agents) as agent_id,
        generate_subscripts(inbox_places, 1) as row) o;
  insert into message (session_id, seq, origin, thread_id, sender, name, at, rank, role, type, priority, action, urgent,
      reply_to, hops, target, content, mentions, extras, expires_at, recipients)
    select sessions[m.place], bases[m.place] + m.number, batch, m.thread_id, m.sender, m.name, m.at, m.rank, m.role,
      m.type, m.priority, m.action, m.urgent, m.reply_to, m.hops, m.target, m.content, m.mentions, m.extras,
      m.expires_at, m.recipients
    from (select unnest(places) as place, unnest(numbers) as number, unnest(senders) as sender,
        unnest(thread_ids) as thread_id, unnest(names) as name, unnest(times) as at, unnest(ranks) as rank,
        unnest(roles) as role, unnest(types) as type, unnest(priorities) as priority, unnest(actions) as action,
        unnest(urgents) as urgent, unnest(replies_to) as reply_to, unnest(hop_counts) as hops,
        unnest(targets) as target, unnest(contents) as content, unnest(mention_lists) as mentions,
        unnest(all_extras) as extras, unnest(expiries) as expires_at, unnest(recipient_lists) as recipients) m
    where bases[m.place] is not null;
  insert into pending (session_id, agent_id, lane, rank, seq, why, expires_at, wants_receipt)
    select sessions[places[c.message]], c.agent_id, c.lane, ranks[c.message],
      bases[places[c.message]] + numbers[c.message], c.why, expiries[c.message], receipts[c.message]
    from (select unnest(copies_of) as message, unnest(readers) as agent_id, unnest(lanes) as lane,
        unnest(reasons) as why) c
    where bases[places[c.message]] is not null;
  return json_build_object('bases', bases, 'known', known, 'unread', unread);
end $$;
