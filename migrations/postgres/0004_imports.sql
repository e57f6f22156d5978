-- Works for hubs from: 3
-- Parts of imports that are not complete yet.

create table import_part (
  session_id text collate "C" not null,             -- of the caller
  import_id  text collate "C" not null,
  part       integer not null,
  target     text collate "C" not null,             -- the session that it will become
  at         bigint  not null,
  bytes      bigint  not null,                      -- of this part and those before it
  progress   text collate "C" not null,             -- JSON: what must be known to read the next part
  lines      text collate "C" not null
);

create index import_part_by_time on import_part (at);
alter table import_part add primary key (session_id, import_id, part);
