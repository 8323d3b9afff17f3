import type { ResultOf } from 'gql.tada';
import { graphql } from '../graph/graphql.ts';

const AttemptFragment = graphql(`
  fragment AttemptParts on CreateAttempt @_unmask {
    caller
    businessJobId
    kind
    state
    idempotencyKey
    catalogProductId
    quantity
    sends
    startedAt
    nextAttemptAt
    orders { id phoneNumber }
    events { version state reason httpStatus errorCode note at }
  }
`);

export const AttemptsDocument = graphql(
  `
    query Attempts($states: [CreateAttemptState!], $first: Int!) {
      createAttempts(filter: { states: $states }, first: $first) {
        totalCount
        nodes { ...AttemptParts }
      }
    }
  `,
  [AttemptFragment],
);

export const EvidenceDocument = graphql(`
  query Evidence($caller: String!, $businessJobId: String!) {
    orders: unaccountedOrders(caller: $caller, businessJobId: $businessJobId) {
      id
      phoneNumber
      amount
      createdAt
      product { name }
    }
  }
`);

export const CloseReviewDocument = graphql(
  `
    mutation CloseReview($input: CloseCreateAttemptInput!) {
      closeCreateAttempt(input: $input) { ...AttemptParts }
    }
  `,
  [AttemptFragment],
);

export type Attempt = ResultOf<typeof AttemptsDocument>['createAttempts']['nodes'][number];

export const MoneyDocument = graphql(`
  query Money {
    viewer { budget { limit spent reserved remaining } }
  }
`);

export const ReadBalanceDocument = graphql(`
  query ReadBalance {
    balance(refresh: true) { asOf }
  }
`);

export const StatisticsDocument = graphql(`
  query Statistics($since: DateTime!, $groupBy: OrderStatisticsGroup!) {
    orderStatistics(since: $since, groupBy: $groupBy) {
      key
      label
      orders
      received
      expired
      canceled
      failed
      successRate
      secondsToFirstSms { p50 p95 max }
    }
  }
`);

export type Statistic = ResultOf<typeof StatisticsDocument>['orderStatistics'][number];

const WebhookFragment = graphql(`
  fragment WebhookParts on UpstreamWebhook @_unmask {
    url
    secretSet
    consecutiveFailures
    disabledAt
    disabledReason
    asOf
  }
`);

export const WebhookDocument = graphql(
  `
    query Webhook {
      webhook: upstreamWebhook { ...WebhookParts }
    }
  `,
  [WebhookFragment],
);

export const ConnectWebhookDocument = graphql(
  `
    mutation ConnectWebhook($url: String!) {
      webhook: connectUpstreamWebhook(url: $url) { ...WebhookParts }
    }
  `,
  [WebhookFragment],
);

export const TestWebhookDocument = graphql(`
  mutation TestWebhook {
    test: testUpstreamWebhook { statusCode }
  }
`);

export type Webhook = ResultOf<typeof WebhookDocument>['webhook'];
