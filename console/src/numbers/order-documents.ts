import type { ResultOf } from 'gql.tada';
import { graphql } from '../graph/graphql.ts';

export const OpenOrdersDocument = graphql(`
  query OpenOrders {
    orders(filter: { statuses: [ACTIVE, OTP_RECEIVED] }, first: 100) {
      nodes { id smsRevision }
    }
  }
`);

const OrderFragment = graphql(`
  fragment OrderParts on Order @_unmask {
    id
    status
    phoneNumber
    amount
    operatorName
    product { name country { code name emoji } platform { name } }
    createdAt
    expiresAt
    failedReason
    canCancel
    canFinish
    canResend
    canReactivate
    cancelAvailableAt
    resendAvailableAt
    reactivatedFrom { id }
  }
`);

export const OrderChangedDocument = graphql(
  `
    subscription OrderChanged($id: ID!) {
      orderChanged(orderId: $id) { ...OrderParts }
    }
  `,
  [OrderFragment],
);

/** As the provider tells it now, not as it was last read. */
export const ReadOrderDocument = graphql(
  `
    query ReadOrder($id: ID!) {
      order(id: $id, refresh: true) { ...OrderParts }
    }
  `,
  [OrderFragment],
);

export const MessagesDocument = graphql(`
  subscription Messages($id: ID!, $after: Int!) {
    smsReceived(orderId: $id, afterRevision: $after) {
      revision
      message
      otpCode
      suggestedCode
      source
      receivedAt
    }
  }
`);

export type OrderView = ResultOf<typeof OrderChangedDocument>['orderChanged'];
export type Message = ResultOf<typeof MessagesDocument>['smsReceived'];

export const CancelDocument = graphql(`
  mutation Cancel($id: ID!) {
    outcome: cancelOrder(orderId: $id) {
      __typename
      ... on CancelReceipt { refundAmount newBalance }
      ... on CancelRejected { code }
    }
  }
`);

export const FinishDocument = graphql(`
  mutation Finish($id: ID!) {
    outcome: finishOrder(orderId: $id) {
      __typename
      ... on FinishRejected { code }
    }
  }
`);

export const ResendDocument = graphql(`
  mutation Resend($id: ID!) {
    outcome: resendSms(orderId: $id) {
      __typename
      ... on ResendRejected { code }
    }
  }
`);

export const QuoteDocument = graphql(`
  query Quote($id: ID!) {
    quote: reactivationQuote(orderId: $id) {
      __typename
      ... on ReactivationQuote { cost }
      ... on ReactivationUnavailable { code }
    }
  }
`);
