-- Works for hubs from: 5
-- How idle agents are woken, and what became of it. See docs/decisions/0028-waking.md.

-- Locked by whoever decides about a wake of this agent.
create table wake_agent (
  session_id    text    not null,
  agent_id      text    not null,
  version       integer not null,
  confirmed_seq integer not null,      -- mail up to here was announced by a confirmed wake
  abandoned_seq integer not null,      -- and by one that was given up at that time: for routes that are older it is over
  abandoned_at  integer not null,
  primary key (session_id, agent_id)
) without rowid;

create table wake_route (
  session_id     text    not null,
  agent_id       text    not null,
  id             text    not null,
  kind           text    not null,
  place          text    not null,     -- the client session, else the label: one route of a kind at a place
  label          text    not null,
  client_session text,
  companion      text    not null,     -- of a webhook: hub
  position       integer not null,
  confirm_ms     integer not null,
  wakes_per_hour integer,
  quiet_ms       integer,
  is_once        integer not null,
  url            text,                 -- a box
  host           text,
  set_at         integer not null,     -- kept when its own companion, or a hook of the same place, sets it again
  lease_until    integer,              -- null: a webhook has no companion
  used_at        integer,              -- of one that is used up by a wake
  primary key (session_id, agent_id, id)
) without rowid;

create unique index wake_route_by_place on wake_route (session_id, agent_id, kind, place);
create index wake_route_by_lease on wake_route (lease_until) where lease_until is not null;

-- From the first attempt to the agent's call, or until no live route is left.
create table wake (
  session_id  text    not null,
  agent_id    text    not null,
  id          text    not null,
  state       text    not null,        -- open, confirmed, abandoned
  is_test     integer not null,
  unread      integer not null,
  senders     text    not null,        -- JSON list
  highest     text    not null,
  chain       integer not null,        -- how many wakes in turns with one other agent led to this one
  after_seq   integer not null,        -- it announces the mail after this
  up_to_seq   integer,                 -- and up to this; null while it is open
  started_at  integer not null,
  ended_at    integer,
  look_at     integer not null,        -- when an attempt's time has passed, or routes may be gone
  primary key (session_id, agent_id, id)
) without rowid;

create index wake_by_age on wake (session_id, agent_id, started_at);
create index wake_open on wake (look_at) where state = 'open';

create table wake_attempt (
  session_id   text    not null,
  agent_id     text    not null,
  wake_id      text    not null,
  route_id     text    not null,
  kind         text    not null,
  label        text    not null,
  state        text    not null,       -- attempted, accepted, confirmed, failed, unconfirmed
  handed       integer not null,       -- how often the companion got it: again if its answer was lost
  attempted_at integer not null,
  accepted_at  integer,
  ended_at     integer,
  confirm_by   integer not null,
  reason       text,
  primary key (session_id, agent_id, wake_id, route_id)
) without rowid;

-- People are asked on the sender's behalf if the recipient is not woken.
create table escalation (
  session_id text    not null,
  agent_id   text    not null,         -- the recipient
  seq        integer not null,
  sender     text    not null,
  created_at integer not null,
  due_at     integer,                  -- null: it has ended
  primary key (session_id, agent_id, seq)
) without rowid;

create index escalation_by_due on escalation (due_at) where due_at is not null;
create index escalation_by_sender on escalation (session_id, sender) where due_at is not null;
