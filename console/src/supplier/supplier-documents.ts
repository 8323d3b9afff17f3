import type { ResultOf } from 'gql.tada';
import { graphql } from '../graph/graphql.ts';

const SupplierOrderFragment = graphql(`
  fragment SupplierOrderParts on SupplierOrder @_unmask {
    id
    status
    paymentStatus
    entityType
    subCategory
    quantity
    deliveredCount
    remaining
    leasedUntil
    externalId
    externalPrice
    createdAt
    claimedAt
    deliveries { id state lines status attempts lastError createdAt settledAt }
  }
`);

const PlanFragment = graphql(`
  fragment PlanParts on DeliveryPlan @_unmask {
    received
    fresh
    blank
    duplicate
    overflow
    remainingAfter
  }
`);

export const OpenSupplierOrdersDocument = graphql(
  `
    query OpenSupplierOrders {
      supplierOrders(filter: { statuses: [PROCESSING] }, first: 100) {
        nodes { ...SupplierOrderParts }
      }
    }
  `,
  [SupplierOrderFragment],
);

export const SupplierOrderDocument = graphql(
  `
    query SupplierOrder($id: ID!) {
      supplierOrder(id: $id) { ...SupplierOrderParts }
    }
  `,
  [SupplierOrderFragment],
);

export const ClaimedDocument = graphql(
  `
    subscription Claimed($after: String) {
      supplierOrderClaimed(after: $after) { claimCursor ...SupplierOrderParts }
    }
  `,
  [SupplierOrderFragment],
);

export const PullDocument = graphql(
  `
    mutation Pull($limit: Int!) {
      pullSupplierOrders(limit: $limit) { ...SupplierOrderParts }
    }
  `,
  [SupplierOrderFragment],
);

export const LeaseDocument = graphql(
  `
    mutation Lease($id: ID!) {
      order: leaseSupplierOrder(orderId: $id) { ...SupplierOrderParts }
    }
  `,
  [SupplierOrderFragment],
);

export const ReleaseDocument = graphql(
  `
    mutation Release($id: ID!) {
      order: releaseSupplierOrder(orderId: $id) { ...SupplierOrderParts }
    }
  `,
  [SupplierOrderFragment],
);

export const PlanDocument = graphql(
  `
    query Plan($id: ID!, $lines: [String!]!) {
      deliveryPlan(orderId: $id, lines: $lines) { ...PlanParts }
    }
  `,
  [PlanFragment],
);

export const DeliverDocument = graphql(
  `
    mutation Deliver($input: DeliverSupplierOrderInput!) {
      outcome: deliverSupplierOrder(input: $input) {
        __typename
        plan { ...PlanParts }
        ... on DeliveryAccepted { order { ...SupplierOrderParts } }
        ... on DeliveryRejected { code message }
        ... on DeliveryNotSent { reason }
      }
    }
  `,
  [SupplierOrderFragment, PlanFragment],
);

export const SpeedDocument = graphql(`
  query Speed($since: DateTime!) {
    supplierStatistics(since: $since) {
      orders
      secondsToComplete { p50 }
      withinTenMinutes
      overOneDay
    }
  }
`);

export type SupplierOrder = NonNullable<ResultOf<typeof SupplierOrderDocument>['supplierOrder']>;
export type Plan = ResultOf<typeof PlanDocument>['deliveryPlan'];
export type DeliveryOutcome = ResultOf<typeof DeliverDocument>['outcome'];
