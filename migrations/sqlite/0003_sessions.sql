-- What a session is for, when it ends and who administers it. A hub that knows only earlier versions would send to a closed session.

alter table session add column application text;
alter table session add column annotations text not null default '{}'; -- JSON object
alter table session add column expires_at integer;
alter table session add column created_by_session text; -- of the key that created it; null when created by use or by the CLI
alter table session add column close_reason text;

create index session_by_expiry on session (expires_at) where expires_at is not null and closed_at is null;

-- Messages with a dead letter are not pruned.
create index dead_letter_by_seq on dead_letter (session_id, seq);
