// The operations of GraphiQL's tabs. No line is longer than its editor shows on a small screen.

/** The number that the sandbox gives its first order. Anywhere else it is a place to fill in. */
export const FIRST_ORDER = '4410001';

export const CATALOG = `# What can be ordered now, cheapest first. The search knows
# no letter case and no accents. An order names a
# catalogProductId. Several tiers may share one: the
# cheapest that fits is taken.
query Catalog($filter: CatalogFilter, $after: String) {
  catalogProducts(
    filter: $filter
    orderBy: { field: PRICE }
    first: 10
    after: $after
  ) {
    totalCount
    nodes {
      catalogProductId
      name
      # whole rupiah
      price
      available
      country { id name emoji }
      platform { id name }
    }
    # pass endCursor as $after
    pageInfo { hasNextPage endCursor }
  }
}
`;

export const ORDER = `# Orders a number. Run it twice: the same businessJobId is
# one order, and is charged once, however often it is asked
# for. Change the quantity and run it again: you are told
# what differs, and nothing is ordered. Another order takes
# another businessJobId.
mutation Order($input: CreateOrderInput!) {
  createOrder(input: $input) {
    __typename
    attempt { state sends idempotencyKey }
    ... on CreateOrderResolved {
      failedCount
      orders {
        id status phoneNumber amount expiresAt canCancel
        cancelAvailableAt
      }
    }
    # charged; the number follows
    ... on CreateOrderPendingAssignment {
      orders { id status }
    }
    ... on CreateOrderNotSent {
      notSent: reason
      product { name price available }
    }
    ... on CreateOrderNeedsReconciliation {
      unclear: reason nextAttemptAt
    }
    ... on CreateOrderConflict { differing }
    ... on CreateOrderRejected { code }
  }
}
`;

export const WATCH = `# Every message of your orders: those already here, then
# each as it comes, within seconds of an order in the
# sandbox. Lost the connection? Subscribe again with the
# cursor of the last message: nothing is missed, nothing
# comes twice.
subscription Watch($after: String) {
  smsReceived(after: $after) {
    order { id phoneNumber status }
    revision
    message
    # the code as a person would read it; null where none
    # stands out
    suggestedCode
    # WEBHOOK, or POLL where no webhook brought it
    source
    receivedAt
    cursor
  }
}
`;

export const MY_ORDERS = `# The key's own orders, newest first, with their messages
# and with the attempt that made them.
query MyOrders($after: String) {
  orders(first: 5, after: $after) {
    totalCount
    nodes {
      id status phoneNumber amount asOf
      # what may be done now: trust these alone
      canCancel canFinish canResend canReactivate
      smsRevisions { revision message suggestedCode }
      attempt { businessJobId state }
    }
    pageInfo { hasNextPage endCursor }
  }
}

# What became of a job, step by step.
query MyJob($job: String!) {
  createAttempt(businessJobId: $job) {
    state sends nextAttemptAt replayDeadlineAt
    events { version state reason httpStatus errorCode at }
    orders { id status }
  }
}
`;

export const CANCEL = `# Gives a number back before any SMS has come. The order is
# read first; the cancel is sent once, and only on
# canCancel. The sandbox's first order is ${FIRST_ORDER};
# find others under MyOrders. Its minimum wait is two
# minutes, so that you will mostly see CancelSkipped: look
# at cancelAvailableAt.
mutation Cancel($orderId: ID!) {
  cancelOrder(orderId: $orderId) {
    __typename
    orderId
    # the one place where refund figures come from
    ... on CancelReceipt { refundAmount newBalance }
    # canceled, and nobody told for how much
    ... on CancelConfirmed { order { status } }
    ... on CancelSkipped {
      order {
        status canCancel cancelAvailableAt smsRevision
      }
    }
    ... on CancelRejected { code httpStatus }
    # read the order a little later
    ... on CancelAmbiguous { latestStatus }
  }
}
`;

export const AFTER_THE_SMS = `# Four operations in one tab: the play button lets you
# choose. Once the SMS is there, an order is finished, ...
mutation Finish($orderId: ID!) {
  finishOrder(orderId: $orderId) {
    __typename
    ... on FinishReceipt { order { status } }
    ... on FinishSkipped { order { status canFinish } }
    ... on FinishRejected { code }
  }
}

# ... or asked for another SMS on the same number.
mutation Resend($orderId: ID!) {
  resendSms(orderId: $orderId) {
    __typename
    # smsReceived(orderId, afterRevision) shows only what is
    # new
    ... on ResendReceipt { afterRevision }
    ... on ResendSkipped {
      order { status canResend resendAvailableAt }
    }
    ... on ResendRejected { code }
  }
}

# A completed order's number can be rented once more. First
# the price ...
query Quote($orderId: ID!) {
  reactivationQuote(orderId: $orderId) {
    __typename
    ... on ReactivationQuote { cost }
    ... on ReactivationUnavailable { code }
  }
}

# ... then the order, for a job of its own and never dearer
# than maxCost.
mutation Again($again: ReactivateOrderInput!) {
  reactivateOrder(input: $again) {
    __typename
    attempt { state }
    ... on CreateOrderResolved {
      orders {
        id status phoneNumber amount reactivatedFrom { id }
      }
    }
    ... on CreateOrderNotSent { notSent: reason }
  }
}
`;

export const ACCOUNT = `# Who this key is, what it may still spend, and what is left
# on the account at the provider.
query Account {
  viewer {
    caller
    scopes
    budget { limit spent reserved remaining }
  }
  balance(refresh: true) { currency amount low asOf }
  exchangeRate { pair rate }
}

# The balance now, and each change of it.
subscription Balance { balanceChanged { amount low asOf } }
`;

export const CLAIMS = `# Supplier side. Orders as they are claimed, by your pulls
# or by the automatic puller (SUPPLIER_PULL_SECONDS). Start
# it, then run the tab Claim. What is claimed and open comes
# first. After a lost connection pass the last claimCursor
# as $after.
subscription Claims($after: String) {
  supplierOrderClaimed(after: $after, openFirst: true) {
    id quantity remaining entityType subCategory
    paymentStatus createdAt
    claimCursor
  }
}
`;

export const CLAIM = `# Claims pending orders, oldest first: nobody else gets
# those that are returned. None there? In the sandbox a
# buyer orders when told to:
#   curl 127.0.0.1:4010/_sandbox/supplier-orders \\
#     -d '{"quantity": 3}'
mutation Claim($limit: Int!) {
  pullSupplierOrders(limit: $limit) {
    id quantity remaining entityType subCategory claimedAt
    leasedUntil
  }
}

# What the account has, for looking and reconciling. It
# claims nothing, and leaves orders under a lease out.
query Desk {
  supplierOrders(
    filter: { statuses: [PENDING, PROCESSING] }
    first: 20
  ) {
    nodes {
      id status quantity deliveredCount remaining
      leasedUntil
      deliveries { state lines attempts lastError }
    }
  }
}
`;

export const DELIVER = `# Put an id from the tab Claim into the variables, twice.
# First what would become of the lines: blank ones and
# repeats (whatever their letter case) fall away, what is
# over the quantity would be cut.
query Plan($orderId: ID!, $lines: [String!]!) {
  deliveryPlan(orderId: $orderId, lines: $lines) {
    received fresh duplicate blank overflow remainingAfter
  }
}

# Then the delivery. Full: the order is closed. Not full
# yet: it stays open, and the rest follows in a later round.
mutation Deliver($input: DeliverSupplierOrderInput!) {
  deliverSupplierOrder(input: $input) {
    __typename
    plan { fresh overflow remainingAfter }
    ... on DeliveryAccepted {
      order { status deliveredCount remaining }
    }
    # sent again by itself: do not deliver anew
    ... on DeliveryPending {
      delivery { id state attempts }
    }
    ... on DeliveryRejected { code message }
    ... on DeliveryNotSent { notSent: reason }
  }
}
`;

export const REVIEWS = `# Operators. What waits for a person: it may have been
# charged, and is never sent again by itself. Mostly empty.
query Reviews {
  createAttempts(
    filter: { states: [OPERATOR_REVIEW] }
    first: 20
  ) {
    totalCount
    nodes {
      caller businessJobId kind quantity idempotencyKey
      sends startedAt
      # note: what no code tells, such as whose an order is
      events { state reason httpStatus errorCode note at }
    }
  }
}

# The evidence: orders on the account that no attempt
# accounts for, and that this one may have made.
query Evidence($caller: String!, $job: String!) {
  unaccountedOrders(caller: $caller, businessJobId: $job) {
    id status amount phoneNumber createdAt
  }
}

# What you found out settles it: ORDERED with the orders
# that exist, or NOT_ORDERED.
mutation Close($closing: CloseCreateAttemptInput!) {
  closeCreateAttempt(input: $closing) {
    state
    orders { id }
    events { state note }
  }
}
`;

export const STATISTICS = `# How orders fared since then, by COUNTRY, PLATFORM,
# OPERATOR or PRODUCT. An operator sees all callers' orders.
query Statistics(
  $since: DateTime!
  $groupBy: OrderStatisticsGroup!
) {
  orderStatistics(since: $since, groupBy: $groupBy) {
    label orders received expired canceled failed
    successRate
    secondsToFirstSms { p50 p95 max }
  }
  supplierStatistics(since: $since) {
    orders withinTenMinutes overOneDay
    secondsToComplete { p50 p95 max }
  }
}
`;

export const WEBHOOK = `# Operators. Where the provider sends its events, and
# whether they arrive.
query Webhook {
  upstreamWebhook {
    url secretSet consecutiveFailures disabledAt
    disabledReason asOf
  }
}

# Has the provider send a test event now. 200 is well.
mutation Test { testUpstreamWebhook { statusCode } }

# Sets the address and the secret, and switches delivery on
# again. Not in the sandbox: it has its own.
mutation Connect($url: String!) {
  connectUpstreamWebhook(url: $url) {
    url consecutiveFailures
  }
}
`;
