import { useCallback, useEffect, useState } from 'react';
import type { Fault } from '../graph/fault.ts';
import { useGraph } from '../graph/use-graph.ts';
import { useQuery } from '../graph/use-query.ts';
import { useStream } from '../graph/use-stream.ts';
import { keep, readKept } from '../storage.ts';
import {
  ClaimedDocument,
  OpenSupplierOrdersDocument,
  type SupplierOrder,
  SupplierOrderDocument,
} from './supplier-documents.ts';

const KEPT_AS = 'switchboard.bench';
const READ_EVERY = 30_000;
const MOST_KEPT = 50;

export interface Bench {
  /** The last claimed first. */
  readonly orders: readonly SupplierOrder[];
  readonly fault: Fault | null;
  readonly isLoading: boolean;
  refresh(): void;
  /** Takes in what is known of orders now. */
  update(orders: readonly SupplierOrder[]): void;
}

/**
 * The orders being worked on: what the supplier lists, what is claimed meanwhile, and what was on the bench before. The
 * last for a reason: a leased order is in no list.
 */
export function useBench(onClaimed: (order: SupplierOrder) => void): Bench {
  const graph = useGraph();
  const [orders, setOrders] = useState<readonly SupplierOrder[]>([]);
  const listed = useQuery(OpenSupplierOrdersDocument, {}, READ_EVERY);

  const update = useCallback((changed: readonly SupplierOrder[]) => {
    setOrders((before) => {
      const byId = new Map(before.map((order) => [order.id, order]));
      for (const order of changed) byId.set(order.id, order);
      return [...byId.values()].sort((one, other) => claimTime(other) - claimTime(one));
    });
  }, []);

  useStream(
    ClaimedDocument,
    { after: null },
    ({ supplierOrderClaimed }) => {
      update([supplierOrderClaimed]);
      onClaimed(supplierOrderClaimed);
    },
    ({ supplierOrderClaimed }) => ({ after: supplierOrderClaimed.claimCursor }),
  );

  const nodes = listed.data?.supplierOrders.nodes;
  useEffect(() => {
    if (nodes !== undefined) update(nodes);
  }, [nodes, update]);

  useEffect(() => {
    const gone = new AbortController();
    for (const id of (readKept('session', KEPT_AS) ?? '').split(' ').filter((one) => one !== '')) {
      void graph.ask(SupplierOrderDocument, { id }, gone.signal).then((answer) => {
        if (answer.kind === 'data' && answer.data.supplierOrder !== null) update([answer.data.supplierOrder]);
      });
    }
    return () => gone.abort();
  }, [graph, update]);

  useEffect(() => {
    if (orders.length === 0) return;
    const ids = orders.filter(isInWork).map(({ id }) => id);
    keep('session', KEPT_AS, ids.slice(0, MOST_KEPT).join(' '));
  }, [orders]);

  return { orders, update, fault: listed.fault, isLoading: listed.isLoading, refresh: listed.refresh };
}

export function isInWork({ status }: SupplierOrder): boolean {
  return status === 'PENDING' || status === 'PROCESSING';
}

function claimTime({ claimedAt, createdAt }: SupplierOrder): number {
  return Date.parse(claimedAt ?? createdAt ?? '') || 0;
}
