import type { ResultOf } from 'gql.tada';
import { graphql } from '../graph/graphql.ts';

export const OrdersDocument = graphql(`
  query Orders($filter: OrderFilter!, $first: Int!, $after: String) {
    orders(filter: $filter, first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        id
        status
        phoneNumber
        amount
        otpCode
        createdAt
        product { name country { code name emoji } platform { name } }
      }
    }
  }
`);

export type ListedOrder = ResultOf<typeof OrdersDocument>['orders']['nodes'][number];

export const OrderDocument = graphql(`
  query Order($id: ID!) {
    order(id: $id) {
      smsRevision
      createdAt
      attempt {
        caller
        businessJobId
        idempotencyKey
        sends
        events { version state reason httpStatus errorCode note at }
      }
    }
  }
`);
