import { type ReactNode, useId } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { type Attempt, EvidenceDocument } from './operations-documents.ts';

/** What the request may have made: orders on the account that no request accounts for, to be ticked. */
export function Evidence({
  attempt: { caller, businessJobId },
  ticked,
  onTick,
}: {
  readonly attempt: Attempt;
  readonly ticked: readonly string[];
  readonly onTick: (ids: readonly string[]) => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const id = useId();
  const { data, fault, refresh } = useQuery(EvidenceDocument, { caller, businessJobId });
  return (
    <fieldset className="radios" aria-describedby={id}>
      <legend>{t.operations.evidence}</legend>
      <FaultNotice fault={fault} onRetry={refresh} />
      <p id={id} className="hint">
        {data === null ? t.common.loading : t.operations.evidenceHint(data.orders.length)}
      </p>
      {data?.orders.map((order) => (
        <label key={order.id}>
          <input
            type="checkbox"
            checked={ticked.includes(order.id)}
            onChange={({ target }) =>
              onTick(target.checked ? [...ticked, order.id] : ticked.filter((other) => other !== order.id))
            }
          />
          <span>
            <span className="mono">{order.id}</span>
            {[
              order.phoneNumber,
              order.product?.name,
              format.money(order.amount),
              format.date(order.createdAt),
            ]
              .filter((part) => part !== null && part !== undefined)
              .map((part) => ` · ${part}`)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
