-- Works for hubs from: 3
-- Parts of imports that are not complete yet.

create table import_part (
  session_id text    not null,           -- of the caller
  import_id  text    not null,
  part       integer not null,
  target     text    not null,           -- the session that it will become
  at         integer not null,
  bytes      integer not null,           -- of this part and those before it
  progress   text    not null,           -- JSON: what must be known to read the next part
  lines      text    not null,
  primary key (session_id, import_id, part)
);

create index import_part_by_time on import_part (at);
