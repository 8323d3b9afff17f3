import { type ReactNode, useState } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { now } from '../now.ts';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { SpeedDocument } from './supplier-documents.ts';

const WEEK = 7 * 24 * 3_600_000;
const READ_EVERY = 60_000;

export function Speed(): ReactNode {
  const { t, format } = useSpeech();
  const [since] = useState(() => new Date(now() - WEEK).toISOString());
  const { data, fault, refresh } = useQuery(SpeedDocument, { since }, READ_EVERY);
  const speed = data?.supplierStatistics;
  const share = (value: number | null): string => (value === null ? '–' : format.percent(value));
  return (
    <section className="card" aria-labelledby="speed-title">
      <h2 id="speed-title">{t.supplier.speed}</h2>
      <FaultNotice fault={fault} onRetry={refresh} />
      {speed !== undefined && (
        <dl className="figures">
          <div>
            <dt>{t.supplier.speedOrders}</dt>
            <dd>{format.number(speed.orders)}</dd>
          </div>
          <div>
            <dt>{t.supplier.speedHalf}</dt>
            <dd>
              {speed.secondsToComplete === null ? '–' : format.countdown(speed.secondsToComplete.p50 * 1000)}
            </dd>
          </div>
          <div>
            <dt>{t.supplier.speedTen}</dt>
            <dd>{share(speed.withinTenMinutes)}</dd>
          </div>
          <div>
            <dt>{t.supplier.speedDay}</dt>
            <dd>{share(speed.overOneDay)}</dd>
          </div>
        </dl>
      )}
    </section>
  );
}
