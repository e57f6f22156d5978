-- Works for hubs from: 5
-- Imports whose rows are being inserted, in steps. Until its last step the session has no row, and nobody can use it.
create table import_run (
  session_id text collate "C" primary key,  -- the session that it becomes
  import_id  text collate "C" not null,     -- who may go on; changes when another takes over
  at         bigint  not null               -- of its last step
);
