import type { ResultOf } from 'gql.tada';
import { graphql } from '../graph/graphql.ts';

const OutcomeFragment = graphql(`
  fragment Outcome on CreateOrderOutcome @_unmask {
    __typename
    attempt { state }
    ... on CreateOrderResolved { failedCount orders { id smsRevision phoneNumber } }
    ... on CreateOrderPendingAssignment { failedCount orders { id smsRevision phoneNumber } }
    ... on CreateOrderRejected { code }
    ... on CreateOrderInsufficientBalance { balance { amount } }
    ... on CreateOrderNeedsReconciliation { unclear: reason nextAttemptAt }
    ... on CreateOrderConflict { differing }
    ... on CreateOrderNotSent { reason product { price } budget { remaining } }
  }
`);

export const CreateOrderDocument = graphql(
  `
    mutation CreateOrder($input: CreateOrderInput!) {
      outcome: createOrder(input: $input) { ...Outcome }
    }
  `,
  [OutcomeFragment],
);

export const ReactivateOrderDocument = graphql(
  `
    mutation ReactivateOrder($input: ReactivateOrderInput!) {
      outcome: reactivateOrder(input: $input) { ...Outcome }
    }
  `,
  [OutcomeFragment],
);

export const JobAttemptDocument = graphql(`
  query JobAttempt($job: String!) {
    createAttempt(businessJobId: $job) { state }
  }
`);

export const JobChangedDocument = graphql(`
  subscription JobChanged($job: String!) {
    createAttemptChanged(businessJobId: $job) { state nextAttemptAt }
  }
`);

export type JobOutcome = ResultOf<typeof CreateOrderDocument>['outcome'];
