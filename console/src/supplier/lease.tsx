import { type ReactNode, useState } from 'react';
import type { Fault } from '../graph/fault.ts';
import { useMutation } from '../graph/use-mutation.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { LeaseDocument, ReleaseDocument, type SupplierOrder } from './supplier-documents.ts';
import { isInWork } from './use-bench.ts';

/** Whether others are kept away from the order, and for how long. */
export function Lease({
  order,
  onChange,
}: {
  readonly order: SupplierOrder;
  readonly onChange: (orders: readonly SupplierOrder[]) => void;
}): ReactNode {
  const { t } = useSpeech();
  const announce = useAnnounce();
  const lease = useMutation(LeaseDocument);
  const release = useMutation(ReleaseDocument);
  const [fault, setFault] = useState<Fault | null>(null);
  const isLeased = order.leasedUntil !== null;
  const isBusy = lease.isRunning || release.isRunning;

  const change = async (to: 'lease' | 'release'): Promise<void> => {
    const answer = await (to === 'lease' ? lease : release).run({ id: order.id });
    if (answer === null) return;
    setFault(answer.kind === 'fault' ? answer.fault : null);
    if (answer.kind === 'fault') return;
    onChange([answer.data.order]);
    announce(to === 'lease' ? t.supplier.leased : t.supplier.released);
  };

  return (
    <div className="lease">
      <p>
        {order.leasedUntil === null ? (
          t.supplier.notHidden
        ) : (
          <Countdown until={order.leasedUntil} words={t.supplier.hidden} past={t.supplier.notHidden} />
        )}
      </p>
      {isInWork(order) && (
        <div className="button-row">
          <button type="button" className="button" disabled={isBusy} onClick={() => void change('lease')}>
            {t.supplier.lease}
          </button>
          <button
            type="button"
            className="button button-quiet"
            disabled={isBusy || !isLeased}
            onClick={() => void change('release')}
          >
            {t.supplier.release}
          </button>
        </div>
      )}
      <FaultNotice fault={fault} />
    </div>
  );
}
