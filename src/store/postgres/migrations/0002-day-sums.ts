import type { Migration } from '../../migration.ts';

export const daySums: Migration = {
  name: '0002-day-sums',
  // Days are summed up once they are over, by the program and not here: a start need not wait for it. Triggers undo it, so
  // that what an instance of the version before counts meanwhile is not lost.
  sql: `
create table day_sums (
  day bigint not null,
  owner text collate "C" not null,
  platform_id bigint not null,
  country_id bigint not null,
  operator_id bigint not null,
  product_id bigint not null,
  orders bigint not null,
  received bigint not null,
  expired bigint not null,
  canceled bigint not null,
  failed bigint not null,
  times bytea not null,
  primary key (day, owner, platform_id, country_id, operator_id, product_id)
);
create table summed_days (day bigint primary key);

create function counted_in_a_day() returns trigger language plpgsql as
  $$ begin
    delete from summed_days where day in (select hour / 24 from counted);
    return null;
  end $$;
create trigger order_counts_made after insert on order_counts
  referencing new table as counted for each statement execute function counted_in_a_day();
create trigger order_counts_changed after update on order_counts
  referencing new table as counted for each statement execute function counted_in_a_day();
create trigger sms_times_made after insert on sms_times
  referencing new table as counted for each statement execute function counted_in_a_day();
create trigger sms_times_changed after update on sms_times
  referencing new table as counted for each statement execute function counted_in_a_day();

-- Whether all who were counting are through, and others wait until the transaction ends. Not for long: a vacuum may be at
-- it for minutes, and everybody would stand behind this one.
create function counting_stands_still() returns boolean language plpgsql as
  $$ begin
    perform set_config('lock_timeout', '100ms', true);
    lock table order_counts, sms_times in share row exclusive mode;
    return true;
  exception when lock_not_available then
    return false;
  end $$;
`,
};
