import { type ReactNode, useEffect, useRef } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { whatOf } from './bench-list.tsx';
import { DeliverForm } from './deliver-form.tsx';
import { Deliveries } from './deliveries.tsx';
import { Filled } from './filled.tsx';
import { Lease } from './lease.tsx';
import { type SupplierOrder, SupplierOrderDocument } from './supplier-documents.ts';

/** While a delivery is not settled, and else now and then: the lease may be renewed meanwhile. */
const READ_SOON = 3_000;
const READ_EVERY = 30_000;

export function Workbench({
  order,
  onChange,
}: {
  readonly order: SupplierOrder;
  readonly onChange: (orders: readonly SupplierOrder[]) => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const heading = useRef<HTMLHeadingElement>(null);
  const isSettling = order.deliveries.some(({ state }) => state === 'PENDING');
  const { data, refresh } = useQuery(
    SupplierOrderDocument,
    { id: order.id },
    isSettling ? READ_SOON : READ_EVERY,
  );
  const read = data?.supplierOrder;
  useEffect(() => {
    if (read != null) onChange([read]);
  }, [read, onChange]);
  useEffect(() => heading.current?.focus(), []);

  const { paymentStatus, createdAt, claimedAt, remaining } = order;
  return (
    <article className="card bench-order" aria-labelledby="bench-order">
      <header className="card-head">
        <h2 id="bench-order" ref={heading} tabIndex={-1}>
          {whatOf(order)}
        </h2>
        <span className={`pill pill-${order.status}`}>{t.supplier.status[order.status]}</span>
      </header>
      <p className="mono soft">{order.id}</p>
      <Filled order={order} />
      <p className="order-facts">
        <span>{t.supplier.owed(remaining, format.number(remaining))}</span>
        {paymentStatus !== null && <span>{t.supplier.payment[paymentStatus]}</span>}
        {createdAt !== null && (
          <span>
            {t.orders.created}: {format.date(createdAt)}
          </span>
        )}
        {claimedAt !== null && (
          <span>
            {t.supplier.claimed}: {format.date(claimedAt)}
          </span>
        )}
      </p>
      <Lease order={order} onChange={onChange} />
      <DeliverForm order={order} onChange={onChange} onSent={refresh} />
      <Deliveries deliveries={order.deliveries} />
    </article>
  );
}
