import { type FormEvent, type ReactNode, useState } from 'react';
import { useMutation } from '../graph/use-mutation.ts';
import { faultWords } from '../parts/fault-notice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { PullDocument, type SupplierOrder } from './supplier-documents.ts';

const MOST = 500;

export function PullForm({
  onPulled,
}: {
  readonly onPulled: (orders: readonly SupplierOrder[]) => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const pull = useMutation(PullDocument);
  const [limit, setLimit] = useState('100');
  const [told, setTold] = useState<{ readonly tone: 'good' | 'plain' | 'bad'; readonly text: string } | null>(
    null,
  );
  const count = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  const isWrong = count < 1 || count > MOST;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTold(null);
    const answer = await pull.run({ limit: count });
    if (answer === null) return;
    if (answer.kind === 'fault') return setTold({ tone: 'bad', text: faultWords(answer.fault, t) });
    const orders = answer.data.pullSupplierOrders;
    onPulled(orders);
    setTold({
      tone: orders.length === 0 ? 'plain' : 'good',
      text: t.supplier.pulled(orders.length, format.number(orders.length)),
    });
  };

  return (
    <form className="card pull" onSubmit={(event) => void submit(event)} noValidate>
      <h2>{t.supplier.pull}</h2>
      <div className="pull-fields">
        <Field
          label={t.supplier.pullLimit}
          error={isWrong ? t.numbers.invalidQuantity(format.number(MOST)) : null}
        >
          {(control) => (
            <input
              {...control}
              type="number"
              inputMode="numeric"
              min={1}
              max={MOST}
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="button button-main" disabled={isWrong || pull.isRunning}>
          {pull.isRunning ? t.supplier.pulling : t.supplier.pullSubmit}
        </button>
      </div>
      {told !== null && (
        <Notice tone={told.tone} isNews>
          {told.text}
        </Notice>
      )}
    </form>
  );
}
