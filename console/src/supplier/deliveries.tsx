import type { ReactNode } from 'react';
import { useSpeech } from '../texts/language-provider.tsx';
import type { SupplierOrder } from './supplier-documents.ts';

export function Deliveries({ deliveries }: { readonly deliveries: SupplierOrder['deliveries'] }): ReactNode {
  const { t, format } = useSpeech();
  return (
    <section aria-labelledby="deliveries-title">
      <h3 id="deliveries-title">{t.supplier.deliveries}</h3>
      {deliveries.length === 0 ? (
        <p className="empty">{t.supplier.noDeliveries}</p>
      ) : (
        <table className="table table-stacks">
          <thead>
            <tr>
              <th scope="col">{t.supplier.sent}</th>
              <th scope="col" className="figure">
                {t.sandbox.quantity}
              </th>
              <th scope="col">{t.supplier.closes}</th>
              <th scope="col">{t.supplier.state}</th>
              <th scope="col" className="figure">
                {t.supplier.attempts}
              </th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <tr key={delivery.id}>
                <th scope="row" data-label={t.supplier.sent}>
                  {format.date(delivery.createdAt)}
                </th>
                <td className="figure" data-label={t.sandbox.quantity}>
                  {format.number(delivery.lines)}
                </td>
                <td data-label={t.supplier.closes}>{t.supplier.says[delivery.status]}</td>
                <td data-label={t.supplier.state}>
                  <span className={`pill pill-${delivery.state}`}>
                    {t.supplier.deliveryState[delivery.state]}
                  </span>
                  {delivery.lastError !== null && <span className="soft mono"> {delivery.lastError}</span>}
                </td>
                <td className="figure" data-label={t.supplier.attempts}>
                  {format.number(delivery.attempts)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
