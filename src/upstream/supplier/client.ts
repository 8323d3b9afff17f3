import { DELIVERY_LEASE, DELIVERY_TIMEOUT } from '../../domain/supplier/delivery.ts';
import { formatInstant, type Instant, later, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { ReadReply } from '../../ports/numbers-api.ts';
import type { Random } from '../../ports/random.ts';
import type { SupplierSlots } from '../../ports/store/supplier.ts';
import type { SupplierApi, SupplierOrderPage, SupplierOrderQuery } from '../../ports/supplier-api.ts';
import { type Http, type HttpCall, MIB } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { deliveryReply } from './delivery-reply.ts';
import { type CallKind, createLimits } from './limits.ts';
import { type NewKind, readOrderList } from './order-list.ts';
import { readReply } from './read-reply.ts';
import { judge, type Verdict } from './verdict.ts';

/**
 * How long after its begin a read, a pull or a PATCH may still be sent, waits for a place and for 429s included. With
 * the call's own 15 s it ends before a pull's answer counts as lost, 30 s after its begin, and its orders as nobody's.
 */
const PATIENCE = 12 * SECOND;
const MOST_SENDS = 20;

/** Waiting and the send must fit into the sender's lease, with time left to write down what came of it. */
const DELIVERY_PATIENCE = DELIVERY_LEASE - DELIVERY_TIMEOUT - 10 * SECOND;

/** 500 orders take 200 KiB. An answer given up for its size would be given up each time, and its orders never be seen. */
const LARGEST_LIST = 16 * MIB;

/** Values of new kinds told in the log, each once, and their characters. */
const MOST_TOLD = 200;
const LONGEST_TOLD = 64;

export interface SupplierParts {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  readonly http: Pick<Http, 'call'>;
  readonly slots: SupplierSlots;
  readonly clock: Clock;
  readonly random: Pick<Random, 'token'>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'upstreamCall'>;
  /** Calls at once over all instances; 2 where left out, and never more. */
  readonly places?: number;
}

interface Request extends Pick<HttpCall, 'operation' | 'method' | 'body' | 'mostBytes'> {
  readonly path: string;
  readonly kind: CallKind;
}

/** The seller-side upstream (supplier-v2.md). Nothing but a call refused with a 429 is ever sent twice in here. */
export function createSupplierApi(parts: SupplierParts): SupplierApi {
  const { baseUrl, key, http, clock, log, metrics } = parts;
  const limits = createLimits({ ...parts, places: parts.places ?? 2 });
  const told = new Set<string>();

  /** Sends once a place is free; `sendBy` is when it stops waiting for one. */
  async function send<Reply extends { readonly kind: string }>(
    { path, kind, ...request }: Request,
    sendBy: Instant,
    toReply: (verdict: Verdict, sentAt: Instant) => Reply,
  ): Promise<Reply> {
    const askedAt = clock.now();
    const passed = await limits.pass(kind, sendBy, async () => {
      const sentAt = clock.now();
      const deadline = later(sentAt, DELIVERY_TIMEOUT);
      return { sentAt, result: await http.call({ ...request, url: baseUrl + path, token: key, deadline }) };
    });
    if (passed.kind === 'done') {
      const { sentAt, result } = passed.value;
      const reply = toReply(judge(result), sentAt);
      metrics.upstreamCall('supplier', request.operation, reply.kind, result.elapsedMs);
      return reply;
    }
    const waitedMs = clock.now() - askedAt;
    log.warn('no place for a supplier call came free in time', { operation: request.operation, waitedMs });
    const reply = toReply({ kind: 'not-sent' }, askedAt);
    metrics.upstreamCall('supplier', request.operation, reply.kind, waitedMs);
    return reply;
  }

  async function ask<Value>(
    request: Omit<Request, 'kind'>,
    parse: (body: JsonObject) => Value | undefined,
  ): Promise<ReadReply<Value>> {
    const sendBy = later(clock.now(), PATIENCE);
    for (let sends = 1; ; sends++) {
      const reply = await send({ ...request, kind: 'read' }, sendBy, (verdict, sentAt) =>
        readReply(verdict, sentAt, parse),
      );
      if (reply.kind !== 'wait') return reply;
      const { retryAfterMs } = reply;
      if (sends === MOST_SENDS || retryAfterMs >= sendBy - clock.now()) {
        return { kind: 'throttled', retryAfterSeconds: Math.ceil(retryAfterMs / SECOND) };
      }
      await clock.sleep(retryAfterMs);
    }
  }

  function askOrders(
    request: Pick<Request, 'operation' | 'method' | 'path' | 'body'>,
  ): Promise<ReadReply<SupplierOrderPage>> {
    return ask({ ...request, mostBytes: LARGEST_LIST }, (body) => {
      const list = readOrderList(body);
      if (list === null) return undefined;
      const { page, leftOut } = list;
      if (leftOut > 0) {
        const { operation } = request;
        log.warn('supplier orders without an id or a quantity were left out', {
          operation,
          leftOut,
          received: page.received,
        });
      }
      list.newKinds.forEach(tellOnce);
      return page;
    });
  }

  function tellOnce({ field, value }: NewKind): void {
    const shown = value.slice(0, LONGEST_TOLD);
    const name = `${field} ${shown}`;
    if (told.has(name) || told.size >= MOST_TOLD) return;
    told.add(name);
    log.warn('the supplier API sent a value of a new kind', { field, value: shown });
  }

  return {
    pull: (limit) =>
      askOrders({
        operation: 'orders-pull',
        method: 'POST',
        path: '/orders-pull',
        body: JSON.stringify({ limit }),
      }),
    orders: (query, page) =>
      askOrders({ operation: 'orders', method: 'GET', path: `/orders?${search(query, page)}` }),
    setLastProcessTime: (id, at) =>
      ask<null>(
        {
          operation: 'last-process-time',
          method: 'PATCH',
          path: `/orders/${encodeURIComponent(id)}/last-process-time`,
          body: JSON.stringify({ lastProcessTime: at === null ? null : formatInstant(at) }),
        },
        () => null,
      ),
    sendDelivery: ({ endpoint, body }) => {
      const isUpdate = endpoint === '/orders-update';
      return send(
        {
          operation: isUpdate ? 'orders-update' : 'accounts-bulk',
          method: 'POST',
          path: endpoint,
          body,
          kind: isUpdate ? 'update' : 'bulk',
        },
        later(clock.now(), DELIVERY_PATIENCE),
        (verdict) => deliveryReply(verdict, body, key),
      );
    },
  };
}

/** What is not said, and an empty list, is left out: then the API's own defaults hold. */
function search(
  query: SupplierOrderQuery,
  page: { readonly limit: number; readonly offset: number },
): URLSearchParams {
  const given = new URLSearchParams();
  const add = (name: string, value: string | null | undefined): void => {
    if (value !== null && value !== undefined && value !== '') given.set(name, value);
  };
  const list = (kinds: readonly string[] | null) => kinds?.join(',').toLowerCase();
  const time = (at: Instant | null) => (at === null ? null : formatInstant(at));
  add('status', list(query.statuses));
  add('paymentStatus', list(query.paymentStatuses));
  add('productType', list(query.productTypes));
  add('entityType', query.entityType);
  add('subCategory', query.subCategory);
  add('createdFrom', time(query.createdFrom));
  add('createdTo', time(query.createdTo));
  add('limit', String(page.limit));
  add('offset', String(page.offset));
  return given;
}
