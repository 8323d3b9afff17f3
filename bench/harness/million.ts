import Database from 'better-sqlite3';
import { binOf } from '../../src/domain/orders/statistics.ts';
import { COUNTRIES } from './data.ts';

/** A shop buys of some tiers again and again, not of all. */
const TIERS = 200;
const DAY = 24 * 60 * 60 * 1_000;

/**
 * Multiplies the one order that a gateway has made, over the last 30 days: by one insert a table, as the gateway itself
 * would take half an hour. The counts that the store keeps in step are made with them. Nothing may have the file open.
 */
export function multiplyOrder(file: string, stored: number, open: number): void {
  const database = new Database(file);
  try {
    database.pragma('synchronous = off');
    database.function('time_to_first_sms', { deterministic: true }, (i) => timeToFirstSms(Number(i)));
    database.function('bin_of', { deterministic: true }, (milliseconds) =>
      binOf(Number(milliseconds) / 1_000),
    );
    const columns = database.pragma('table_info(orders)') as readonly { readonly name: string }[];
    const changed: Readonly<Record<string, string>> = {
      id: 'template.id + i',
      status: `case when i <= ${open - 1} then 'ACTIVE' else 'COMPLETED' end`,
      attempt_id: 'null',
      phone_number: "'+628' || (100000000 + i)",
      sms_revision: `case when i <= ${open - 1} then -1 else 1 end`,
      otp_message: `case when i <= ${open - 1} then null else 'Your code is 482913' end`,
      otp_received_at: `case when i <= ${open - 1} then null else template.created_at - i * ${step(stored)} + time_to_first_sms(i) end`,
      catalog_product_id: `1 + i % ${TIERS}`,
      product_id: `10000 + i % ${TIERS}`,
      created_at: `template.created_at - i * ${step(stored)}`,
    };
    const names = columns.map(({ name }) => name);
    database.exec(`
      begin;
      with recursive n(i) as (values (1) union all select i + 1 from n where i < ${stored - 1})
      insert into orders (${names.join(', ')})
        select ${names.map((name) => changed[name] ?? `template.${name}`).join(', ')}
        from n, (select * from orders limit 1) as template;
      insert into order_facts (order_id, platform_id, country_id, ended_at, erased)
        select id, 1 + (product_id - 10000) / ${COUNTRIES} % 100, 1 + (product_id - 10000) % ${COUNTRIES},
          case when status = 'ACTIVE' then null else as_of end, 0
        from orders where true on conflict do nothing;
      delete from list_totals where list = 'orders';
      insert into list_totals (list, owner, state, total)
        select 'orders', owner, status, count(*) from orders group by owner, status;
      delete from order_counts;
      insert into order_counts (hour, owner, platform_id, country_id, operator_id, product_id,
          orders, received, expired, canceled, failed)
        select created_at / 3600000, owner, platform_id, country_id, -1, catalog_product_id,
          count(*), sum(sms_revision >= 0), 0, 0, 0
        from orders join order_facts on order_id = id group by 1, 2, 3, 4, 5, 6;
      delete from sms_times;
      insert into sms_times (hour, owner, platform_id, country_id, operator_id, product_id, bin, count, longest)
        select created_at / 3600000, owner, platform_id, country_id, -1, catalog_product_id,
          bin_of(otp_received_at - created_at), count(*), max(otp_received_at - created_at)
        from orders join order_facts on order_id = id where sms_revision >= 0 group by 1, 2, 3, 4, 5, 6, 7;
      commit;`);
  } finally {
    database.close();
  }
}

function step(stored: number): number {
  return Math.floor((30 * DAY) / stored);
}

/** Spread as waiting for a stranger is: a median of 25 seconds, one in twenty over two minutes; the same for each run. */
function timeToFirstSms(i: number): number {
  // Two sequences that fill the square evenly stand for chance.
  const [a, b] = [(i * 0.7548776662466927) % 1, (i * 0.5698402909980532) % 1];
  const normal = Math.sqrt(-2 * Math.log(1 - a)) * Math.cos(2 * Math.PI * b);
  return Math.round(25_000 * Math.exp(normal));
}
