import '../schema/scalars.ts';
import './attempts.ts';
import './audit.ts';
import './balance.ts';
import './cancel-order.ts';
import './catalog-list.ts';
import './catalog.ts';
import './close-attempt.ts';
import './create-order.ts';
import './dead-webhooks.ts';
import './deliver.ts';
import './messages.ts';
import './order-actions.ts';
import './orders.ts';
import './reactivation.ts';
import './statistics.ts';
import './supplier-orders.ts';
import './upstream-webhook.ts';
import './viewer.ts';
import { builder } from '../schema/builder.ts';

/** The whole graph. Each room adds its own fields when it is imported above; this is the one place that knows them all. */
export const schema = builder.toSchema();
