import { describeActions } from './actions.ts';
import { describeAlerts } from './alerts.ts';
import { describeClosing } from './attempts-close.ts';
import { describeAttemptPages } from './attempts-pages.ts';
import { describePreparing } from './attempts-prepare.ts';
import { describeSettling } from './attempts-settle.ts';
import { describeTaking } from './attempts-take.ts';
import { describeAudit } from './audit.ts';
import { describeBalances } from './balances.ts';
import { describeBooks } from './books.ts';
import { describeSeenProducts } from './catalog.ts';
import { describeDatabase } from './database.ts';
import { describeInbox } from './inbox.ts';
import { describeKeys } from './keys.ts';
import { describeMessages } from './messages.ts';
import { describeOrderPages } from './order-pages.ts';
import { describeOrders } from './orders.ts';
import { describePresence } from './presence.ts';
import { describeRetention } from './retention.ts';
import { describeStatistics } from './statistics.ts';
import { describeDeliveries } from './supplier-deliveries.ts';
import { describeSupplierOrders } from './supplier-orders.ts';
import { describeSupplierSlots } from './supplier-slots.ts';
import type { CreateDatabase } from './support/database.ts';
import { describeTurns } from './turns.ts';

/** What every store must do, whatever it is made of. A new suite is added here, and then runs against all of them. */
export const suites: readonly ((create: CreateDatabase) => void)[] = [
  describePreparing,
  describeTaking,
  describeSettling,
  describeClosing,
  describeAttemptPages,
  describeOrders,
  describeOrderPages,
  describeMessages,
  describeActions,
  describeInbox,
  describeKeys,
  describeBooks,
  describeSeenProducts,
  describeBalances,
  describeAudit,
  describeRetention,
  describeAlerts,
  describeStatistics,
  describeSupplierOrders,
  describeDeliveries,
  describeSupplierSlots,
  describeTurns,
  describePresence,
  describeDatabase,
];
