import type { Migration } from '../../migration.ts';

export const initial: Migration = {
  name: '0001-initial',
  sql: `
create table attempts (
  id text primary key not null,
  caller text not null,
  business_job_id text not null,
  request text not null,
  endpoint text not null,
  body text not null,
  fingerprint text not null,
  idempotency_key text not null,
  catalog_product_id integer,
  quantity integer not null,
  state text not null,
  reason text,
  rejection_code text,
  rejection_status integer,
  failed_count integer not null,
  sends integer not null,
  version integer not null,
  started_at integer not null,
  review_threshold_at integer not null,
  replay_deadline_at integer not null,
  next_attempt_at integer,
  lease_until integer,
  claim_token text,
  due_at integer,
  reserved integer not null
) strict;
create unique index attempts_by_job on attempts (caller, business_job_id);
create unique index attempts_by_key on attempts (idempotency_key);
create index attempts_by_job_id on attempts (business_job_id);
create index attempts_due on attempts (due_at, id) where due_at is not null;
create index attempts_by_start on attempts (started_at, id);
create index attempts_by_state on attempts (state, started_at, id);
create index attempts_of_caller on attempts (caller, started_at, id);
create index attempts_of_caller_by_state on attempts (caller, state, started_at, id);

create table attempt_events (
  attempt_id text not null references attempts (id),
  version integer not null,
  state text not null,
  reason text,
  http_status integer,
  error_code text,
  note text,
  sends integer not null,
  next_attempt_at integer,
  at integer not null,
  primary key (attempt_id, version)
) strict;

create table attempt_evidence (
  id integer primary key autoincrement not null,
  attempt_id text not null references attempts (id),
  claim_version integer not null,
  reply text not null,
  at integer not null
) strict;
create index attempt_evidence_of on attempt_evidence (attempt_id);

create table budgets (
  caller text primary key not null,
  spending_limit integer,
  spent integer not null,
  reserved integer not null
) strict;

create table budget_entries (
  id integer primary key autoincrement not null,
  caller text not null,
  attempt_id text references attempts (id),
  order_id integer,
  kind text not null,
  amount integer not null,
  note text not null,
  at integer not null
) strict;
create index budget_entries_of on budget_entries (caller, id);
create unique index budget_entries_once on budget_entries (order_id, kind, note) where order_id is not null;

create table orders (
  id integer primary key not null,
  owner text,
  attempt_id text references attempts (id),
  reactivated_from_id integer,
  status text not null,
  phone_number text,
  amount integer,
  product_id integer,
  catalog_product_id integer,
  operator_id integer,
  operator_name text,
  otp_code text,
  otp_message text,
  sms_revision integer not null,
  otp_received_at integer,
  expires_at integer,
  failed_reason text,
  canceled_at integer,
  can_finish integer not null,
  can_resend integer not null,
  can_cancel integer not null,
  can_replace integer not null,
  can_reactivate integer not null,
  resend_available_at integer,
  cancel_available_at integer,
  replace_available_at integer,
  created_at integer not null,
  as_of integer not null,
  version integer not null
) strict;
create index orders_of_attempt on orders (attempt_id, id) where attempt_id is not null;
create index orders_open on orders (id, phone_number) where status in ('ACTIVE', 'OTP_RECEIVED');
create index orders_by_creation on orders (created_at, id) where amount is not null;
create index orders_by_status on orders (status, created_at, id) where amount is not null;
create index orders_of_owner on orders (owner, created_at, id) where amount is not null;
create index orders_of_owner_by_status on orders (owner, status, created_at, id) where amount is not null;
create index orders_by_phone on orders (phone_number) where amount is not null;

create table order_changes (
  order_id integer not null references orders (id),
  version integer not null,
  status text not null,
  can_finish integer not null,
  can_resend integer not null,
  can_cancel integer not null,
  can_replace integer not null,
  can_reactivate integer not null,
  resend_available_at integer,
  cancel_available_at integer,
  replace_available_at integer,
  primary key (order_id, version)
) strict;

create table sms_revisions (
  order_id integer not null references orders (id),
  revision integer not null,
  message text not null,
  otp_code text,
  source text not null,
  received_at integer not null,
  sequence integer,
  owner text,
  owner_sequence integer,
  primary key (order_id, revision)
) strict;
create unique index sms_revisions_of_all on sms_revisions (sequence) where sequence is not null;
create unique index sms_revisions_of_owner on sms_revisions (owner, owner_sequence) where owner is not null;

create table order_actions (
  order_id integer not null,
  action text not null,
  token text not null,
  lease_until integer not null,
  outcome text,
  refund_amount integer,
  new_balance integer,
  resent integer,
  after_revision integer,
  http_status integer,
  code text,
  latest_status text,
  primary key (order_id, action)
) strict;

create table inbox (
  id integer primary key autoincrement not null,
  dedupe_key text not null,
  event text not null,
  order_id integer,
  revision integer,
  body blob not null,
  state text not null,
  received_at integer not null,
  tries integer not null,
  next_try_at integer not null,
  settled_at integer
) strict;
create unique index inbox_by_key on inbox (dedupe_key);
create index inbox_pending on inbox (id, next_try_at) where state = 'PENDING';
create index inbox_pending_of_order on inbox (order_id, revision) where state = 'PENDING';
create index inbox_dead on inbox (id) where state = 'DEAD';

create table api_keys (
  id text primary key not null,
  hash text not null,
  caller text not null,
  scopes text not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer
) strict;
create unique index api_keys_by_hash on api_keys (hash);

create table seen_products (
  id integer primary key not null,
  catalog_product_id integer,
  name text,
  country_id integer,
  platform_id integer,
  operator_id integer,
  operator_name text,
  available integer not null,
  price integer not null,
  active integer not null,
  as_of integer not null
) strict;
create index seen_products_by_catalog_id on seen_products (catalog_product_id);

create table balances (
  sequence integer primary key autoincrement not null,
  currency text not null,
  amount integer not null,
  as_of integer not null
) strict;

create table counters (
  name text primary key not null,
  value integer not null
) strict;
insert into counters (name, value) values ('sms', 0);

create table settings (
  name text primary key not null,
  value text not null
) strict;
`,
};
