import type { ReactNode } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { JobCard } from '../numbers/job-card.tsx';
import { useJobs } from '../numbers/jobs.tsx';
import { OrderCard } from '../numbers/order-card.tsx';
import { Events } from '../operations/events.tsx';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { hrefOf } from '../route.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { OrderDocument } from './orders-document.ts';

/** One order with its messages, and how the request for it fared. */
export function OrderPage({ id }: { readonly id: string }): ReactNode {
  const { t, format } = useSpeech();
  const jobs = useJobs();
  const { data, fault, refresh } = useQuery(OrderDocument, { id });
  const order = data?.order;
  const attempt = order?.attempt;

  return (
    <Page title={t.order.title(id)} aside={<a href={hrefOf('orders')}>{t.orders.back}</a>}>
      <FaultNotice fault={fault} onRetry={refresh} />
      {order === null && <Notice tone="warn">{t.orders.missing}</Notice>}
      {order != null && (
        <div className="one-order">
          <section className="cards" aria-label={t.orders.number}>
            <h2 className="unseen">{t.orders.number}</h2>
            {jobs.list.map((job) => (
              <JobCard
                key={job.id}
                job={job}
                onOrders={([made]) => {
                  if (made !== undefined) location.hash = hrefOf('orders', made.id);
                }}
                onDrop={() => jobs.drop(job.id)}
              />
            ))}
            <OrderCard id={id} known={order.smsRevision} hasDetails={false} />
          </section>
          <section className="card" aria-labelledby="history-title">
            <h2 id="history-title">{t.order.history}</h2>
            <dl className="facts">
              <dt>{t.order.created}</dt>
              <dd>{format.date(order.createdAt)}</dd>
              <dt>{t.order.job}</dt>
              <dd className="mono">{attempt?.businessJobId ?? t.order.elsewhere}</dd>
              {attempt != null && (
                <>
                  <dt>{t.operations.caller}</dt>
                  <dd>{attempt.caller}</dd>
                  <dt>{t.operations.key}</dt>
                  <dd className="mono">{attempt.idempotencyKey}</dd>
                </>
              )}
            </dl>
            {attempt != null && <Events events={attempt.events} />}
          </section>
        </div>
      )}
    </Page>
  );
}
