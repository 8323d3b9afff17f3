import { type ReactNode, useId, useMemo, useState } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { now } from '../now.ts';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { Bars } from './bars.tsx';
import { StatisticsDocument } from './operations-documents.ts';
import { StatisticsTable } from './statistics-table.tsx';

const DAY = 24 * 3_600_000;
const READ_EVERY = 15_000;
const SPANS = { day: DAY, week: 7 * DAY, month: 30 * DAY } as const;
const spans = ['day', 'week', 'month'] as const;
const groups = ['PLATFORM', 'COUNTRY', 'OPERATOR', 'PRODUCT'] as const;
/** Drawn; the table has all. */
const MOST_BARS = 8;

/** How often an SMS comes, and how soon. */
export function Statistics(): ReactNode {
  const { t, format } = useSpeech();
  const id = useId();
  const [span, setSpan] = useState<(typeof spans)[number]>('week');
  const [groupBy, setGroupBy] = useState<(typeof groups)[number]>('PLATFORM');
  const since = useMemo(() => new Date(now() - SPANS[span]).toISOString(), [span]);
  const { data, fault, isLoading, refresh } = useQuery(StatisticsDocument, { since, groupBy }, READ_EVERY);
  const rows = data?.orderStatistics.toSorted((one, other) => other.orders - one.orders) ?? [];
  const drawn = rows.slice(0, MOST_BARS);
  const nameOf = ({ key, label }: { key: number | null; label: string | null }): string =>
    label ?? (key === null ? t.common.unknown : String(key));
  const timed = drawn.flatMap((row) =>
    row.secondsToFirstSms === null ? [] : [{ ...row, ...row.secondsToFirstSms }],
  );

  return (
    <section className="card statistics" aria-labelledby="statistics-title" aria-busy={isLoading}>
      <div className="section-head">
        <h2 id="statistics-title">{t.operations.statistics}</h2>
        <div className="button-row">
          <label className="unseen" htmlFor={`${id}-span`}>
            {t.operations.since}
          </label>
          <select
            id={`${id}-span`}
            value={span}
            onChange={(event) => setSpan(spans.find((one) => one === event.target.value) ?? 'week')}
          >
            {spans.map((one) => (
              <option key={one} value={one}>
                {t.operations[one]}
              </option>
            ))}
          </select>
          <label className="unseen" htmlFor={`${id}-group`}>
            {t.operations.groupBy}
          </label>
          <select
            id={`${id}-group`}
            value={groupBy}
            onChange={(event) => setGroupBy(groups.find((one) => one === event.target.value) ?? 'PLATFORM')}
          >
            {groups.map((one) => (
              <option key={one} value={one}>
                {t.operations.group[one]}
              </option>
            ))}
          </select>
        </div>
      </div>
      <FaultNotice fault={fault} onRetry={refresh} />
      {data !== null && rows.length === 0 && <p className="empty empty-room">{t.operations.noStatistics}</p>}
      {rows.length > 0 && (
        <>
          <div className="charts">
            <Bars
              title={t.operations.success}
              bars={drawn.map((row) => ({
                name: nameOf(row),
                value: row.successRate,
                words: row.successRate === null ? '–' : format.percent(row.successRate),
              }))}
              most={1}
            />
            <Bars
              title={t.operations.speed}
              hint={t.operations.speedHint}
              bars={timed.map((row) => ({
                name: nameOf(row),
                value: row.p50,
                reach: row.p95,
                words: format.seconds(row.p50),
              }))}
              most={Math.max(1, ...timed.map(({ p95 }) => p95))}
            />
          </div>
          <StatisticsTable rows={rows} nameOf={nameOf} group={t.operations.group[groupBy]} />
        </>
      )}
    </section>
  );
}
