/** What the run of several instances has left: in the database, at the upstreams, and with those who asked and followed. */
export interface Evidence {
  readonly asked: readonly Job[];
  readonly attempts: readonly Attempt[];
  readonly orders: readonly OrderRow[];
  /** As accepted. */
  readonly messages: readonly Message[];
  readonly inbox: readonly { readonly orderId: number; readonly revision: number; readonly state: string }[];
  readonly budgets: readonly { readonly caller: string; readonly spent: number; readonly reserved: number }[];
  readonly entries: readonly BudgetLine[];
  /** Supplier orders that the gateway has claimed, in the order of their claims. */
  readonly claimed: readonly string[];
  readonly openDeliveries: number;
  readonly charges: readonly Charge[];
  readonly refunds: readonly { readonly orderId: number; readonly amount: number }[];
  readonly supplierClaims: readonly string[];
  readonly supplierOrders: readonly { readonly id: string; readonly status: string }[];
  readonly deliveredLines: readonly { readonly orderId: string; readonly line: string }[];
  readonly requests: readonly UpstreamRequest[];
  /** As the provider has sent them. */
  readonly sent: readonly SentMessage[];
  readonly acknowledged: readonly Acknowledged[];
  /** The lines that each supplier order was to get. */
  readonly planned: readonly { readonly orderId: string; readonly lines: readonly string[] }[];
  readonly followed: readonly Followed[];
  /** By each that followed the claims. */
  readonly claimsSeen: readonly (readonly string[])[];
}

export interface Job {
  readonly caller: string;
  readonly job: string;
  readonly quantity: number;
}

export interface Attempt extends Job {
  readonly id: string;
  readonly key: string;
  readonly state: string;
}

export interface OrderRow {
  readonly id: number;
  readonly attemptId: string | null;
  readonly status: string;
  readonly revision: number;
}

export interface SentMessage {
  readonly orderId: number;
  readonly revision: number;
  readonly message: string;
}

export interface Message {
  readonly orderId: number;
  readonly revision: number;
  readonly owner: string | null;
  readonly source: string;
  /** Epoch milliseconds of the database. */
  readonly receivedAt: number;
  /** Its places in the stream of its owner, and in that of all. */
  readonly ownerSequence: number | null;
  readonly sequence: number | null;
}

export interface BudgetLine {
  readonly caller: string;
  readonly orderId: number | null;
  readonly kind: string;
  readonly amount: number;
}

export interface Charge {
  readonly orderId: number;
  readonly key: string | null;
  readonly amount: number;
}

export interface UpstreamRequest {
  readonly side: string;
  readonly key: string | null;
  readonly body: string;
  readonly status: number | null;
  readonly from: number;
  readonly until: number;
  /** Others under way when it came in. */
  readonly beside: number;
}

/** A webhook that was answered 2xx, and when. */
export interface Acknowledged {
  readonly orderId: number;
  readonly revision: number;
  readonly at: number;
}

export interface Followed {
  /** Whose messages: of one order, of one caller, or all there are. */
  readonly of:
    | { readonly kind: 'order'; readonly id: number }
    | { readonly kind: 'caller'; readonly name: string }
    | { readonly kind: 'all' };
  readonly items: readonly SentMessage[];
}
