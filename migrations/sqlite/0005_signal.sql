-- Questions, permission prompts and alerts to people; their devices, channels and pushes. See docs/decisions/0020-signal.md.

create table signal (
  session_id      text    not null,
  id              text    not null,
  kind            text    not null,      -- question, permission, alert
  sender          text    not null,
  status          text    not null,      -- pending, answered, declined, expired, cancelled; of an alert: sent
  level           text    not null,      -- none, hub, device, end_to_end
  priority        text    not null,
  alert_type      text,
  thread_id       text,                  -- a thread, or a label
  in_reply_to     text,
  project_id      text,
  label           text,                  -- the sender's own session
  option_count    integer not null,
  call_hash       text,                  -- of the tool call that a permission prompt is about
  body            text    not null,      -- JSON: plain, box or envelope
  default_answer  text,                  -- in the same forms
  answer          text,                  -- in the same forms; of a declined one the reason
  answered_by     text,
  answered_on     text,                  -- the device's name
  asked_at        integer not null,
  expires_at      integer,
  ended_at        integer,
  idempotency_key text,
  request_mac     text,
  primary key (session_id, id)
) without rowid;

create unique index signal_by_idempotency on signal (session_id, sender, idempotency_key) where idempotency_key is not null;
create index signal_by_sender on signal (session_id, sender, asked_at);
create index signal_by_age on signal (session_id, asked_at);
create index signal_by_expiry on signal (expires_at) where status = 'pending' and expires_at is not null;

create table signal_recipient (
  session_id text    not null,
  person_id  text    not null,
  signal_id  text    not null,
  asked_at   integer not null,
  primary key (session_id, signal_id, person_id)
) without rowid;

create index signal_recipient_by_person on signal_recipient (session_id, person_id, asked_at);

create table device (
  session_id    text    not null,
  id            text    not null,
  person_id     text    not null,
  name          text    not null,
  kid           text    not null,        -- hash of both public keys
  encryption    text    not null,        -- public key, base64url of the raw point
  signing       text    not null,
  mac           text,                    -- over the keys, by the pairing secret; null without one
  paired_at     integer not null,
  verified_at   integer,
  revoked_at    integer,
  last_seen_at  integer,
  primary key (session_id, id)
) without rowid;

create index device_by_person on device (session_id, person_id, paired_at);
create unique index device_by_kid on device (session_id, kid);
-- A device that signs in names no session.
create unique index device_by_id on device (id);

-- Hub-wide: a pairing is redeemed before its session is known.
create table pairing (
  id           text primary key,
  session_id   text    not null,
  person_id    text    not null,
  claim_hash   text    not null,
  code_hash    text,                     -- null: by the link only
  tries_left   integer not null,
  created_at   integer not null,
  created_by   text    not null,
  expires_at   integer not null,
  used_at      integer,
  device_id    text
) without rowid;

create index pairing_by_expiry on pairing (expires_at);
create index pairing_by_code on pairing (code_hash) where code_hash is not null;

create table channel (
  session_id  text    not null,
  id          text    not null,
  person_id   text    not null,
  device_id   text,                      -- of a Web Push subscription
  kind        text    not null,          -- web-push, ntfy, webhook
  label       text    not null,          -- what a person sees of it, without secrets
  settings    text    not null,          -- a box
  created_at  integer not null,
  last_ok_at  integer,
  fault       text,                      -- why the last push failed; null after one that worked
  fault_at    integer,
  primary key (session_id, id)
) without rowid;

create index channel_by_person on channel (session_id, person_id, created_at);

create table push (
  session_id   text    not null,
  id           text    not null,
  signal_id    text    not null,
  channel_id   text    not null,
  due_at       integer not null,         -- also the end of the lease of who sends it now
  token        text,                     -- of that lease
  attempts     integer not null,
  expires_at   integer not null,
  primary key (session_id, id)
) without rowid;

create index push_by_due on push (due_at);
create index push_by_signal on push (session_id, signal_id);

create table person_prefs (
  session_id text not null,
  person_id  text not null,
  prefs      text not null,              -- JSON
  primary key (session_id, person_id)
) without rowid;

-- Public keys of the programs that seal for an agent.
create table agent_signal_key (
  session_id  text    not null,
  agent_id    text    not null,
  kid         text    not null,
  encryption  text    not null,
  signing     text    not null,
  created_at  integer not null,
  primary key (session_id, agent_id, kid)
) without rowid;

-- The public half of the hub's secret: one row.
create table hub_identity (
  kid        text primary key,
  encryption text    not null,
  signing    text    not null,
  vapid      text    not null,
  created_at integer not null
) without rowid;

-- A sign-in of a device is a key.
alter table access_key add column device_id text;
create index access_key_by_device on access_key (device_id) where device_id is not null;
