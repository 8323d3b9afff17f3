import { type FormEvent, type ReactNode, useState } from 'react';
import { Field } from '../parts/field.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import type { Offer } from './catalog-documents.ts';
import { newJobId } from './job.ts';
import { useJobs } from './jobs.tsx';

const MOST = 100;

/** How many, and for how much at most: the order's bound, so that a price that rises meanwhile is refused, unsent. */
export function OfferForm({
  offer,
  title,
  onOrdered,
}: {
  readonly offer: Offer;
  readonly title: string;
  /** The form is to go: a second click must find no button to press. */
  readonly onOrdered: () => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const jobs = useJobs();
  const [quantity, setQuantity] = useState('1');
  const [limit, setLimit] = useState(String(offer.price));
  const most = Math.min(MOST, offer.available);
  const count = wholeNumber(quantity);
  const each = wholeNumber(limit);
  const isCountWrong = count === null || count < 1 || count > most;

  const order = (event: FormEvent): void => {
    event.preventDefault();
    if (isCountWrong || each === null || offer.catalogProductId === null) return;
    jobs.start(newJobId(), title, {
      kind: 'create',
      catalogProductId: offer.catalogProductId,
      quantity: count,
      maxUnitPrice: each,
      operatorId: offer.operatorId,
    });
    onOrdered();
  };

  return (
    <form className="offer-form" onSubmit={order} noValidate>
      <div className="offer-fields">
        <Field
          label={t.numbers.quantity}
          error={isCountWrong ? t.numbers.invalidQuantity(format.number(most)) : null}
        >
          {(control) => (
            <input
              {...control}
              type="number"
              inputMode="numeric"
              min={1}
              max={most}
              value={quantity}
              onChange={(event) => setQuantity(event.target.value)}
            />
          )}
        </Field>
        <Field label={t.numbers.mostEach} hint={t.numbers.mostEachHint}>
          {(control) => (
            <input
              {...control}
              type="number"
              inputMode="numeric"
              min={0}
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          )}
        </Field>
      </div>
      <button type="submit" className="button button-main button-wide" disabled={isCountWrong}>
        {t.numbers.order(count ?? 0, format.number(count ?? 0), format.money((count ?? 0) * offer.price))}
      </button>
    </form>
  );
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}
