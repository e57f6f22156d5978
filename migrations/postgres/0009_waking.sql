-- Works for hubs from: 5
-- How idle agents are woken, and what became of it. See docs/decisions/0028-waking.md.

-- Locked by whoever decides about a wake of this agent.
create table wake_agent (
  session_id    text collate "C" not null,
  agent_id      text collate "C" not null,
  version       bigint not null,
  confirmed_seq bigint not null,      -- mail up to here was announced by a confirmed wake
  abandoned_seq bigint not null,      -- and by one that was given up at that time: for routes that are older it is over
  abandoned_at  bigint not null,
  primary key (session_id, agent_id)
);

create table wake_route (
  session_id     text collate "C" not null,
  agent_id       text collate "C" not null,
  id             text collate "C" not null,
  kind           text collate "C" not null,
  place          text collate "C" not null,     -- the client session, else the label: one route of a kind at a place
  label          text collate "C" not null,
  client_session text collate "C",
  companion      text collate "C" not null,     -- of a webhook: hub
  position       bigint not null,
  confirm_ms     bigint not null,
  wakes_per_hour bigint,
  quiet_ms       bigint,
  is_once        bigint not null,
  url            text collate "C",                 -- a box
  host           text collate "C",
  set_at         bigint not null,     -- kept when its own companion, or a hook of the same place, sets it again
  lease_until    bigint,              -- null: a webhook has no companion
  used_at        bigint,              -- of one that is used up by a wake
  primary key (session_id, agent_id, id)
);

create unique index wake_route_by_place on wake_route (session_id, agent_id, kind, place);
create index wake_route_by_lease on wake_route (lease_until) where lease_until is not null;

-- From the first attempt to the agent's call, or until no live route is left.
create table wake (
  session_id  text collate "C" not null,
  agent_id    text collate "C" not null,
  id          text collate "C" not null,
  state       text collate "C" not null,        -- open, confirmed, abandoned
  is_test     bigint not null,
  unread      bigint not null,
  senders     text collate "C" not null,        -- JSON list
  highest     text collate "C" not null,
  chain       bigint not null,        -- how many wakes in turns with one other agent led to this one
  after_seq   bigint not null,        -- it announces the mail after this
  up_to_seq   bigint,                 -- and up to this; null while it is open
  started_at  bigint not null,
  ended_at    bigint,
  look_at     bigint not null,        -- when an attempt's time has passed, or routes may be gone
  primary key (session_id, agent_id, id)
);

create index wake_by_age on wake (session_id, agent_id, started_at);
create index wake_open on wake (look_at) where state = 'open';

create table wake_attempt (
  session_id   text collate "C" not null,
  agent_id     text collate "C" not null,
  wake_id      text collate "C" not null,
  route_id     text collate "C" not null,
  kind         text collate "C" not null,
  label        text collate "C" not null,
  state        text collate "C" not null,       -- attempted, accepted, confirmed, failed, unconfirmed
  handed       bigint not null,       -- how often the companion got it: again if its answer was lost
  attempted_at bigint not null,
  accepted_at  bigint,
  ended_at     bigint,
  confirm_by   bigint not null,
  reason       text collate "C",
  primary key (session_id, agent_id, wake_id, route_id)
);

-- People are asked on the sender's behalf if the recipient is not woken.
create table escalation (
  session_id text collate "C" not null,
  agent_id   text collate "C" not null,         -- the recipient
  seq        bigint not null,
  sender     text collate "C" not null,
  created_at bigint not null,
  due_at     bigint,                  -- null: it has ended
  primary key (session_id, agent_id, seq)
);

create index escalation_by_due on escalation (due_at) where due_at is not null;
create index escalation_by_sender on escalation (session_id, sender) where due_at is not null;
