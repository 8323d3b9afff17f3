import type { ReactNode } from 'react';
import { useAnnounce } from '../parts/announcer.tsx';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { Page } from '../parts/page.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { BenchList } from './bench-list.tsx';
import { PullForm } from './pull-form.tsx';
import { Speed } from './speed.tsx';
import { useBench } from './use-bench.ts';
import { Workbench } from './workbench.tsx';

/** `chosen` is the order that is being worked on. */
export function SupplierPage({ chosen }: { readonly chosen: string | null }): ReactNode {
  const { t } = useSpeech();
  const announce = useAnnounce();
  const bench = useBench(({ id }) => announce(t.supplier.claimedLive(id)));
  const order = bench.orders.find(({ id }) => id === chosen);

  return (
    <Page title={t.supplier.title}>
      <div className={`desk ${order === undefined ? '' : 'desk-working'}`}>
        <div className="desk-side">
          <PullForm onPulled={bench.update} />
          <section aria-labelledby="bench-title" aria-busy={bench.isLoading}>
            <h2 id="bench-title">{t.supplier.list}</h2>
            <FaultNotice fault={bench.fault} onRetry={bench.refresh} />
            <BenchList orders={bench.orders} chosen={chosen} isLoading={bench.isLoading} />
          </section>
          <Speed />
        </div>
        <div className="desk-main">
          {order === undefined ? (
            <p className="empty empty-room">{t.supplier.choose}</p>
          ) : (
            <Workbench key={order.id} order={order} onChange={bench.update} />
          )}
        </div>
      </div>
    </Page>
  );
}
