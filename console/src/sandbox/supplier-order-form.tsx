import { type FormEvent, type ReactNode, useState } from 'react';
import { Field } from '../parts/field.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import type { Steering } from './sandbox-panel.tsx';

export function SupplierOrderForm({ steering }: { readonly steering: Steering }): ReactNode {
  const { t } = useSpeech();
  const [quantity, setQuantity] = useState('3');
  const place = (event: FormEvent): void => {
    event.preventDefault();
    steering.run('supplier-orders', { quantity: Number(quantity) }, ({ id }) => t.sandbox.placed(String(id)));
  };
  return (
    <form className="sandbox-form" onSubmit={place} aria-label={t.sandbox.supplierOrder}>
      <h3>{t.sandbox.supplierOrder}</h3>
      <Field label={t.sandbox.quantity}>
        {(control) => (
          <input
            {...control}
            type="number"
            inputMode="numeric"
            min={1}
            max={1000}
            value={quantity}
            onChange={(event) => setQuantity(event.target.value)}
          />
        )}
      </Field>
      <button type="submit" className="button">
        {t.sandbox.place}
      </button>
    </form>
  );
}
