import type { ReactNode } from 'react';
import { useSpeech } from '../texts/language-provider.tsx';
import type { SupplierOrder } from './supplier-documents.ts';

/** How much of an order has been delivered. */
export function Filled({ order }: { readonly order: SupplierOrder }): ReactNode {
  const { t, format } = useSpeech();
  const { deliveredCount, quantity } = order;
  const part = quantity === 0 ? 1 : Math.min(1, deliveredCount / quantity);
  return (
    <span className="filled">
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="1" className="remaining-all" />
        <rect width={100 * part} height="1" className="filled-done" />
      </svg>
      {t.supplier.lines(format.number(deliveredCount), format.number(quantity))}
    </span>
  );
}
