-- Questions, permission prompts and alerts to people; their devices, channels and pushes. See docs/decisions/0020-signal.md.

create table signal (
  session_id      text collate "C" not null,
  id              text collate "C" not null,
  kind            text collate "C" not null,      -- question, permission, alert
  sender          text collate "C" not null,
  status          text collate "C" not null,      -- pending, answered, declined, expired, cancelled; of an alert: sent
  level           text collate "C" not null,      -- none, hub, device, end_to_end
  priority        text collate "C" not null,
  alert_type      text collate "C",
  thread_id       text collate "C",                  -- a thread, or a label
  in_reply_to     text collate "C",
  project_id      text collate "C",
  label           text collate "C",                  -- the sender's own session
  option_count    bigint not null,
  call_hash       text collate "C",                  -- of the tool call that a permission prompt is about
  body            text collate "C" not null,      -- JSON: plain, box or envelope
  default_answer  text collate "C",                  -- in the same forms
  answer          text collate "C",                  -- in the same forms; of a declined one the reason
  answered_by     text collate "C",
  answered_on     text collate "C",                  -- the device's name
  asked_at        bigint not null,
  expires_at      bigint,
  ended_at        bigint,
  idempotency_key text collate "C",
  request_mac     text collate "C",
  primary key (session_id, id)
);

create unique index signal_by_idempotency on signal (session_id, sender, idempotency_key) where idempotency_key is not null;
create index signal_by_sender on signal (session_id, sender, asked_at);
create index signal_by_age on signal (session_id, asked_at);
create index signal_by_expiry on signal (expires_at) where status = 'pending' and expires_at is not null;

create table signal_recipient (
  session_id text collate "C" not null,
  person_id  text collate "C" not null,
  signal_id  text collate "C" not null,
  asked_at   bigint not null,
  primary key (session_id, signal_id, person_id)
);

create index signal_recipient_by_person on signal_recipient (session_id, person_id, asked_at);

create table device (
  session_id    text collate "C" not null,
  id            text collate "C" not null,
  person_id     text collate "C" not null,
  name          text collate "C" not null,
  kid           text collate "C" not null,        -- hash of both public keys
  encryption    text collate "C" not null,        -- public key, base64url of the raw point
  signing       text collate "C" not null,
  mac           text collate "C",                    -- over the keys, by the pairing secret; null without one
  paired_at     bigint not null,
  verified_at   bigint,
  revoked_at    bigint,
  last_seen_at  bigint,
  primary key (session_id, id)
);

create index device_by_person on device (session_id, person_id, paired_at);
create unique index device_by_kid on device (session_id, kid);
-- A device that signs in names no session.
create unique index device_by_id on device (id);

-- Hub-wide: a pairing is redeemed before its session is known.
create table pairing (
  id           text collate "C" primary key,
  session_id   text collate "C" not null,
  person_id    text collate "C" not null,
  claim_hash   text collate "C" not null,
  code_hash    text collate "C",                     -- null: by the link only
  tries_left   bigint not null,
  created_at   bigint not null,
  created_by   text collate "C" not null,
  expires_at   bigint not null,
  used_at      bigint,
  device_id    text collate "C"
);

create index pairing_by_expiry on pairing (expires_at);
create index pairing_by_code on pairing (code_hash) where code_hash is not null;

create table channel (
  session_id  text collate "C" not null,
  id          text collate "C" not null,
  person_id   text collate "C" not null,
  device_id   text collate "C",                      -- of a Web Push subscription
  kind        text collate "C" not null,          -- web-push, ntfy, webhook
  label       text collate "C" not null,          -- what a person sees of it, without secrets
  settings    text collate "C" not null,          -- a box
  created_at  bigint not null,
  last_ok_at  bigint,
  fault       text collate "C",                      -- why the last push failed; null after one that worked
  fault_at    bigint,
  primary key (session_id, id)
);

create index channel_by_person on channel (session_id, person_id, created_at);

create table push (
  session_id   text collate "C" not null,
  id           text collate "C" not null,
  signal_id    text collate "C" not null,
  channel_id   text collate "C" not null,
  due_at       bigint not null,         -- also the end of the lease of who sends it now
  token        text collate "C",                     -- of that lease
  attempts     bigint not null,
  expires_at   bigint not null,
  primary key (session_id, id)
);

create index push_by_due on push (due_at);
create index push_by_signal on push (session_id, signal_id);

create table person_prefs (
  session_id text collate "C" not null,
  person_id  text collate "C" not null,
  prefs      text collate "C" not null,              -- JSON
  primary key (session_id, person_id)
);

-- Public keys of the programs that seal for an agent.
create table agent_signal_key (
  session_id  text collate "C" not null,
  agent_id    text collate "C" not null,
  kid         text collate "C" not null,
  encryption  text collate "C" not null,
  signing     text collate "C" not null,
  created_at  bigint not null,
  primary key (session_id, agent_id, kid)
);

-- The public half of the hub's secret: one row.
create table hub_identity (
  kid        text collate "C" primary key,
  encryption text collate "C" not null,
  signing    text collate "C" not null,
  vapid      text collate "C" not null,
  created_at bigint not null
);

-- A sign-in of a device is a key.
alter table access_key add column device_id text collate "C";
create index access_key_by_device on access_key (device_id) where device_id is not null;
