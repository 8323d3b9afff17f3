import type { Migration } from '../../migration.ts';

export const supplierAndWatch: Migration = {
  name: '0002-supplier-and-watch',
  sql: `
create table supplier_orders (
  id text primary key not null,
  quantity integer not null,
  status text not null,
  payment_status text,
  product_type text,
  entity_type text,
  sub_category text,
  delivered_count integer not null,
  lines_version integer not null,
  last_process_time integer,
  renew integer not null,
  external_id text,
  external_price text,
  created_at integer,
  seen_processing_at integer,
  claimed_at integer,
  claimed_by text,
  claim_sequence integer,
  completed_at integer,
  erased integer not null,
  as_of integer not null
) strict;
create unique index supplier_orders_by_claim on supplier_orders (claim_sequence) where claim_sequence is not null;
create index supplier_orders_by_claim_time on supplier_orders (claimed_at) where claimed_at is not null;
create index supplier_orders_renewing on supplier_orders (last_process_time) where renew = 1;
create index supplier_orders_ended on supplier_orders (completed_at) where completed_at is not null and erased = 0;

create table supplier_pulls (
  id text primary key not null,
  started_at integer not null,
  limit_at integer not null
) strict;

create table supplier_deliveries (
  id text primary key not null,
  order_id text not null references supplier_orders (id),
  caller text not null,
  state text not null,
  endpoint text not null,
  body blob not null,
  lines integer not null,
  counted_before integer not null,
  status text not null,
  attempts integer not null,
  last_error text,
  rejection_code text,
  rejection_message text,
  external_id text,
  external_price text,
  created_at integer not null,
  settled_at integer,
  deadline_at integer not null,
  next_attempt_at integer,
  lease_until integer,
  token text,
  due_at integer
) strict;
create unique index supplier_deliveries_pending on supplier_deliveries (order_id) where state = 'PENDING';
create index supplier_deliveries_of_order on supplier_deliveries (order_id, created_at);
create index supplier_deliveries_due on supplier_deliveries (due_at, id) where due_at is not null;

create table supplier_slots (
  token text primary key not null,
  lease_until integer not null
) strict;

create table alerts (
  id text primary key not null,
  kind text not null,
  subject text not null,
  message text not null,
  raised_at integer not null,
  cleared_at integer,
  told_at integer,
  due_at integer not null,
  tries integer not null
) strict;
create unique index alerts_standing on alerts (kind, subject) where cleared_at is null;
create index alerts_untold on alerts (due_at, id) where told_at is null;

create table order_facts (
  order_id integer primary key not null references orders (id),
  platform_id integer,
  country_id integer,
  ended_at integer,
  erased integer not null
) strict;
create index order_facts_ended on order_facts (ended_at, order_id) where ended_at is not null and erased = 0;

create table order_counts (
  hour integer not null,
  owner text not null,
  platform_id integer not null,
  country_id integer not null,
  operator_id integer not null,
  product_id integer not null,
  orders integer not null,
  received integer not null,
  expired integer not null,
  canceled integer not null,
  failed integer not null,
  primary key (hour, owner, platform_id, country_id, operator_id, product_id)
) strict, without rowid;

create table sms_times (
  hour integer not null,
  owner text not null,
  platform_id integer not null,
  country_id integer not null,
  operator_id integer not null,
  product_id integer not null,
  bin integer not null,
  count integer not null,
  longest integer not null,
  primary key (hour, owner, platform_id, country_id, operator_id, product_id, bin)
) strict, without rowid;

insert into counters (name, value) values ('claims', 0), ('supplier-update', 0);

-- What was kept before is counted and erased like what comes from now on.
insert into order_facts (order_id, platform_id, country_id, ended_at, erased)
  select o.id, p.platform_id, p.country_id,
    case when o.status in ('COMPLETED', 'CANCELED', 'EXPIRED') then o.as_of end, 0
  from orders o left join seen_products p on p.id = o.product_id;
insert into order_counts (hour, owner, platform_id, country_id, operator_id, product_id, orders, received, expired, canceled, failed)
  select o.created_at / 3600000, coalesce(o.owner, ''), coalesce(f.platform_id, -1), coalesce(f.country_id, -1),
    coalesce(o.operator_id, -1), coalesce(o.catalog_product_id, -1), count(*), sum(o.sms_revision > -1),
    sum(o.status = 'EXPIRED' and o.sms_revision = -1), sum(o.status = 'CANCELED' and o.sms_revision = -1), 0
  from orders o join order_facts f on f.order_id = o.id where o.amount is not null group by 1, 2, 3, 4, 5, 6;
`,
};
