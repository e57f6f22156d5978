-- Keys and the audit log. No earlier hub works on this schema: it would serve without asking for a key.

-- Hub-wide: a key is looked up before its session is known.
create table access_key (
  id           text collate "C" primary key,        -- the public part of the key
  session_id   text collate "C" not null,
  agent_id     text collate "C",                    -- null for an observer
  capabilities text collate "C" not null,           -- JSON list
  hash         text collate "C" not null,           -- SHA-256 of the secret part, in hex
  label        text collate "C" not null,
  created_at   bigint not null,
  created_by   text collate "C" not null,           -- the id of a key, or 'cli'
  expires_at   bigint,
  revoked_at   bigint,
  last_used_at bigint
);

create index access_key_by_session on access_key (session_id, created_at, id);
create index access_key_by_age on access_key (created_at, id);

-- Rises with every change of the keys: a hub that sees another number than the one it knows forgets its cache.
create table key_version (
  n bigint not null
);

insert into key_version (n) values (0);

-- Rows are only ever added; see --audit-days.
create table audit (
  session_id text collate "C" not null,
  id         bigint not null generated always as identity,
  at         bigint not null,
  actor      text collate "C" not null,             -- the agent, or 'cli'; empty for a caller without a name
  key_id     text collate "C",                      -- null in open mode and for the CLI
  address    text collate "C" not null,             -- where the request came from
  act        text collate "C" not null,             -- an operation, or a command
  target     text collate "C" not null,
  details    text collate "C" not null,             -- JSON
  primary key (session_id, id)
);

create index audit_by_time on audit (at);
