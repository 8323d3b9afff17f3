import type { ReactNode } from 'react';
import { hrefOf } from '../route.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import type { ListedOrder } from './orders-document.ts';

/** On a narrow screen each row becomes a block; what a cell is, it then says itself. */
export function OrderTable({ orders }: { readonly orders: readonly ListedOrder[] }): ReactNode {
  const { t, format } = useSpeech();
  return (
    <table className="table table-stacks">
      <thead>
        <tr>
          <th scope="col">{t.orders.number}</th>
          <th scope="col">{t.orders.service}</th>
          <th scope="col">{t.orders.status}</th>
          <th scope="col">{t.orders.code}</th>
          <th scope="col" className="figure">
            {t.orders.amount}
          </th>
          <th scope="col">{t.orders.created}</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.id}>
            <th scope="row" data-label={t.orders.number}>
              <a href={hrefOf('orders', order.id)} className="mono">
                {order.phoneNumber ?? t.order.title(order.id)}
              </a>
            </th>
            <td data-label={t.orders.service}>
              <span>
                <span aria-hidden="true">{order.product?.country?.emoji} </span>
                {order.product?.platform?.name ?? order.product?.name}{' '}
                <span className="soft">
                  {format.country(order.product?.country?.code, order.product?.country?.name ?? '')}
                </span>
              </span>
            </td>
            <td data-label={t.orders.status}>
              <span className={`pill pill-${order.status}`}>{t.order.status[order.status]}</span>
            </td>
            <td data-label={t.orders.code} className="mono">
              {order.otpCode ?? '–'}
            </td>
            <td data-label={t.orders.amount} className="figure">
              {format.money(order.amount)}
            </td>
            <td data-label={t.orders.created}>{format.date(order.createdAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
