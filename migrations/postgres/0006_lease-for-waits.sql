-- Works for hubs from: 5
-- Leases copies for waits parked at a hub, in the transaction that stored the copies. See docs/decisions/0022-leased-when-stored.md.

-- `hub_ms` is null for the database's clock. A wait names its reader, the token of its lease, whether it takes plain thread posts too, and how many copies at most.
-- Nothing is leased for a wait if another transaction holds one of the copies, or if notices may have to become a digest:
-- the hub's hints let the wait read.
--
-- Answers with the waits that got something: the place of each, counted from one, its copies with the attempts before
-- this one, whether there are more, and how many waking copies are left.
create function lease_for_waits(hub_ms bigint, leased_ms bigint, sessions text[], agents text[], tokens text[],
    waking_only integer[], limits integer[], manuals integer[], lease_times bigint[])
  returns json language plpgsql as $$
declare
  now_ms bigint := coalesce(hub_ms, hub_time());
  handed json[] := '{}';
  got json;
begin
  for w in 1 .. cardinality(tokens) loop
    -- uses pending's key, then message's; `offset 0` forces this plan when the table statistics are missing
    with free as materialized (
      select f.lane, f.rank, f.seq, f.notice from (
        (select p.lane, p.rank, p.seq, p.notice from pending p
          where p.session_id = sessions[w] and p.agent_id = agents[w] and p.lane = 0
            and p.lease_token is null and p.digest is null and (p.expires_at is null or p.expires_at > now_ms)
          order by p.rank, p.seq limit limits[w] + 1)
        union all
        (select p.lane, p.rank, p.seq, p.notice from pending p
          where waking_only[w] = 0 and p.session_id = sessions[w] and p.agent_id = agents[w] and p.lane = 1
            and p.lease_token is null and p.digest is null and (p.expires_at is null or p.expires_at > now_ms)
          order by p.rank, p.seq limit limits[w] + 1)) f
      order by f.rank, f.seq limit limits[w] + 1),
    held as materialized (
      select p.lane, p.rank, p.seq from free f join pending p on p.session_id = sessions[w] and p.agent_id = agents[w]
        and p.lane = f.lane and p.rank = f.rank and p.seq = f.seq
      where p.lease_token is null for update of p skip locked),
    taken as (
      update pending p set lease_token = tokens[w], lease_until = now_ms + lease_times[w], is_manual = manuals[w],
        leased_at = leased_ms, attempts = p.attempts + 1
      from (select h.lane, h.rank, h.seq from held h order by h.rank, h.seq limit limits[w]) h
      where (select count(*) from held) = (select count(*) from free)
        and not exists (select 1 from free where notice not in ('digest', 'removed'))
        and p.session_id = sessions[w] and p.agent_id = agents[w] and p.lane = h.lane and p.rank = h.rank
        and p.seq = h.seq
      returning p.lane, p.rank, p.seq, p.why, p.attempts - 1 as attempts, p.notice, p.expires_at),
    copies as (
      select t.lane, t.why, t.attempts, t.notice, m.session_id, t.seq, m.thread_id, m.sender, m.name, m.at, t.rank,
        m.role, m.type, m.priority, m.action, m.urgent, m.reply_to, m.hops, m.target, m.content, m.mentions, m.extras,
        t.expires_at, m.recipients
      from taken t cross join lateral (select * from message
        where session_id = sessions[w] and seq = t.seq offset 0) m)
    select json_build_object('place', w, 'copies', json_agg(c order by c.rank, c.seq),
        'hasMore', (select count(*) from free) > limits[w],
        'unread', (select count(*) from (select 1 from pending p where p.session_id = sessions[w]
          and p.agent_id = agents[w] and p.lane = 0 and p.lease_token is null and p.digest is null limit 1000) unread)
          - count(*) filter (where c.lane = 0))
      into got from copies c having count(*) > 0;
    if got is not null then handed := handed || got; end if;
  end loop;
  return array_to_json(handed);
end $$;
