import type { Migration } from '../../migration.ts';

export const daySums: Migration = {
  name: '0006-day-sums',
  // Days are summed up once they are over, by the program and not here: a start need not wait for it. Triggers undo it, so
  // that what an older program counts meanwhile is not lost.
  sql: `
create table day_sums (
  day integer not null,
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
  times blob not null,
  primary key (day, owner, platform_id, country_id, operator_id, product_id)
) strict;
create table summed_days (day integer primary key not null) strict;
create trigger order_counts_made after insert on order_counts
  begin delete from summed_days where day = new.hour / 24; end;
create trigger order_counts_changed after update on order_counts
  begin delete from summed_days where day = new.hour / 24; end;
create trigger sms_times_made after insert on sms_times
  begin delete from summed_days where day = new.hour / 24; end;
create trigger sms_times_changed after update on sms_times
  begin delete from summed_days where day = new.hour / 24; end;
`,
};
