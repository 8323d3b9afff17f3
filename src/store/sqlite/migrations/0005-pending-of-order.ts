import type { Migration } from '../../migration.ts';

export const pendingOfOrder: Migration = {
  name: '0005-pending-of-order',
  // An order's settled webhooks were passed over, each with its body, to find the one that is pending.
  sql: `
drop index inbox_of_order;
create index inbox_of_order on inbox (order_id, state, revision);
`,
};
