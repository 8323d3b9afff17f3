import type { Migration } from '../../migration.ts';

export const totalsAndInbox: Migration = {
  name: '0003-totals-and-inbox',
  sql: `
create table list_totals (
  list text not null,
  owner text not null,
  state text not null,
  total integer not null,
  primary key (list, owner, state)
) strict;
insert into list_totals (list, owner, state, total)
  select 'attempts', caller, state, count(*) from attempts group by caller, state;
insert into list_totals (list, owner, state, total)
  select 'orders', coalesce(owner, ''), status, count(*) from orders
  where amount is not null group by coalesce(owner, ''), status;

drop index inbox_pending_of_order;
create index inbox_of_order on inbox (order_id, revision);
`,
};
