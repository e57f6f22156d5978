-- Works for hubs from: 5
-- A deep inbox is read by sender, thread, target and type through indexes. See docs/decisions/0026-deep-inboxes.md.

-- Null: not filed, as a send writes it; no index has such a copy, so that a send pays nothing. Empty: written by a hub that does not
-- know these columns. Else the copy is filed, and the four columns equal those of its message.
alter table pending add column sender text collate "C" default '';
alter table pending add column thread_id text collate "C";
alter table pending add column type text collate "C";
alter table pending add column target text collate "C";

-- Copies of this agent up to this seq are filed, or have an empty sender.
alter table agent add column filed_seq bigint;

-- Their indexes are built by 0008, which runs alone.

-- Of removed agents with deep inboxes: their copies up to this seq end in steps.
create table removed_inbox (
  session_id text collate "C" not null,
  agent_id   text collate "C" not null,
  seq        bigint not null,
  at         bigint not null,
  primary key (session_id, agent_id)
);

-- As in 0001_hub.sql, but that it names the sender of a copy, so that it is null and not the default.
create or replace function append_messages(batch bigint, by_hub_time boolean,
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
  insert into pending (session_id, agent_id, lane, rank, seq, why, expires_at, wants_receipt, sender)
    select sessions[places[c.message]], c.agent_id, c.lane, ranks[c.message],
      bases[places[c.message]] + numbers[c.message], c.why, expiries[c.message], receipts[c.message], null
    from (select unnest(copies_of) as message, unnest(readers) as agent_id, unnest(lanes) as lane,
        unnest(reasons) as why) c
    where bases[places[c.message]] is not null;
  return json_build_object('bases', bases, 'known', known, 'unread', unread);
end $$;
