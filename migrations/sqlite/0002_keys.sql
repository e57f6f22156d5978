-- Keys and the audit log. No earlier hub works on this schema: it would serve without asking for a key.

create table access_key (
  id           text primary key,         -- the public part of the key
  session_id   text    not null,
  agent_id     text,                     -- null for an observer
  capabilities text    not null,         -- JSON list
  hash         text    not null,         -- SHA-256 of the secret part, in hex
  label        text    not null,
  created_at   integer not null,
  created_by   text    not null,         -- the id of a key, or 'cli'
  expires_at   integer,
  revoked_at   integer,
  last_used_at integer
) without rowid;

create index access_key_by_session on access_key (session_id, created_at, id);
create index access_key_by_age on access_key (created_at, id);

-- Rises with every change of the keys: a hub that sees another number than the one it knows forgets its cache.
create table key_version (
  n integer not null
);

insert into key_version (n) values (0);

-- Rows are only ever added; see --audit-days.
create table audit (
  id         integer primary key autoincrement,
  session_id text    not null,
  at         integer not null,
  actor      text    not null,           -- the agent, or 'cli'; empty for a caller without a name
  key_id     text,                       -- null in open mode and for the CLI
  address    text    not null,           -- where the request came from
  act        text    not null,           -- an operation, or a command
  target     text    not null,
  details    text    not null            -- JSON
);

create index audit_by_session on audit (session_id, id);
create index audit_by_time on audit (at);
