import type { ReactNode } from 'react';
import { Countdown } from '../parts/countdown.tsx';
import { hrefOf } from '../route.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { Filled } from './filled.tsx';
import type { SupplierOrder } from './supplier-documents.ts';

export function BenchList({
  orders,
  chosen,
  isLoading,
}: {
  readonly orders: readonly SupplierOrder[];
  readonly chosen: string | null;
  readonly isLoading: boolean;
}): ReactNode {
  const { t } = useSpeech();
  if (orders.length === 0) {
    return <p className="empty empty-room">{isLoading ? t.common.loading : t.supplier.empty}</p>;
  }
  return (
    <ul className="bench">
      {orders.map((order) => (
        <li key={order.id}>
          <a
            className="bench-row"
            href={hrefOf('supplier', order.id)}
            aria-current={order.id === chosen ? 'true' : undefined}
          >
            <span className="bench-what">
              <strong>{whatOf(order)}</strong>
              <span className="soft mono">{order.id}</span>
            </span>
            <span className={`pill pill-${order.status}`}>{t.supplier.status[order.status]}</span>
            <Filled order={order} />
            {order.leasedUntil !== null && (
              <span className="soft bench-lease">
                <Countdown until={order.leasedUntil} words={t.supplier.hidden} />
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function whatOf({ entityType, subCategory, id }: SupplierOrder): string {
  const parts = [entityType, subCategory].filter((part) => part !== null && part !== '');
  return parts.length === 0 ? id : parts.join(' · ');
}
