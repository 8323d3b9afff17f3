import { type FormEvent, type ReactNode, useState } from 'react';
import { useMutation } from '../graph/use-mutation.ts';
import { useQuery } from '../graph/use-query.ts';
import { FaultNotice, faultWords } from '../parts/fault-notice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Radios } from '../parts/radios.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { type DeliveryTold, tellDelivery } from './delivery-words.ts';
import { LinesInput } from './lines-input.tsx';
import { PlanView } from './plan-view.tsx';

import { DeliverDocument, PlanDocument, type SupplierOrder } from './supplier-documents.ts';
import { isInWork } from './use-bench.ts';

const PLANNED_AFTER = 250;

/** Lines, what will become of them, and only then the button that sends them. */
export function DeliverForm({
  order,
  onChange,
  onSent,
}: {
  readonly order: SupplierOrder;
  readonly onChange: (orders: readonly SupplierOrder[]) => void;
  readonly onSent: () => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const deliver = useMutation(DeliverDocument);
  const [text, setText] = useState('');
  const [overflow, setOverflow] = useState<'REFUSE' | 'SEND_WHAT_FITS'>('REFUSE');
  const [status, setStatus] = useState<'AUTO' | 'PARTIAL' | 'COMPLETED'>('AUTO');
  const [externalId, setExternalId] = useState('');
  const [externalPrice, setExternalPrice] = useState('');
  const [told, setTold] = useState<DeliveryTold | null>(null);

  const settled = useSettled(text, PLANNED_AFTER);
  const isEmpty = text.trim() === '';
  // What was delivered meanwhile changes the plan: it is asked for again.
  const planned = useQuery(PlanDocument, settled.trim() === '' ? null : { id: order.id, lines: [settled] });
  const isCurrent = settled === text && !planned.isLoading && planned.fault === null;
  const plan = isEmpty || planned.data === null ? null : planned.data.deliveryPlan;
  const isRefused = overflow === 'REFUSE' && plan !== null && plan.overflow.length > 0;
  const isNothing = plan !== null && plan.fresh.length === 0;
  const canSend = plan !== null && isCurrent && !isRefused && !isNothing && !deliver.isRunning;

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!canSend) return;
    setTold(null);
    const answer = await deliver.run({
      input: {
        orderId: order.id,
        lines: [text],
        overflow,
        ...(status !== 'AUTO' && { status }),
        ...(externalId.trim() !== '' && { externalId: externalId.trim() }),
        ...(externalPrice.trim() !== '' && { externalPrice: externalPrice.trim() }),
      },
    });
    if (answer === null) return;
    onSent();
    planned.refresh();
    if (answer.kind === 'fault')
      return setTold({ tone: 'bad', text: faultWords(answer.fault, t), isTaken: false });
    const { outcome: came } = answer.data;
    if (came.__typename === 'DeliveryAccepted') onChange([came.order]);
    const words = tellDelivery(came, t, format);
    if (words.isTaken) setText('');
    setTold(words);
  };

  const outcome = told !== null && (
    <Notice tone={told.tone} isNews>
      {told.text}
    </Notice>
  );
  // The last delivery has closed the order: what came of it is still to be read.
  if (!isInWork(order)) return outcome;
  return (
    <form className="deliver" onSubmit={(event) => void send(event)} aria-label={t.supplier.deliver}>
      <h3>{t.supplier.deliver}</h3>
      {outcome}
      <LinesInput
        text={text}
        onChange={(next) => {
          setText(next);
          setTold(null);
        }}
      />
      <Radios
        legend={t.supplier.overflow}
        value={overflow}
        options={{ REFUSE: t.supplier.refuse, SEND_WHAT_FITS: t.supplier.sendWhatFits }}
        onChange={setOverflow}
      />
      <Radios
        legend={t.supplier.close}
        value={status}
        options={{
          AUTO: t.supplier.closeAuto,
          PARTIAL: t.supplier.closePartial,
          COMPLETED: t.supplier.closeCompleted,
        }}
        onChange={setStatus}
      />
      <details>
        <summary>{t.supplier.more}</summary>
        <div className="filter-fields">
          <Field label={t.supplier.externalId}>
            {(control) => (
              <input
                {...control}
                type="text"
                value={externalId}
                placeholder={order.externalId ?? ''}
                onChange={(event) => setExternalId(event.target.value)}
              />
            )}
          </Field>
          <Field label={t.supplier.externalPrice}>
            {(control) => (
              <input
                {...control}
                type="text"
                value={externalPrice}
                placeholder={order.externalPrice ?? ''}
                onChange={(event) => setExternalPrice(event.target.value)}
              />
            )}
          </Field>
        </div>
      </details>
      <FaultNotice fault={planned.fault} onRetry={planned.refresh} />
      {!isEmpty && (
        <PlanView
          plan={plan}
          isCurrent={isCurrent}
          isRefused={isRefused}
          dropsOverflow={overflow !== 'REFUSE'}
        />
      )}
      <button type="submit" className="button button-main" disabled={!canSend}>
        {deliver.isRunning
          ? t.supplier.sending
          : t.supplier.send(plan?.fresh.length ?? 0, format.number(plan?.fresh.length ?? 0))}
      </button>
    </form>
  );
}
