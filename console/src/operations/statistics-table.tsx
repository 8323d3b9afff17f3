import type { ReactNode } from 'react';
import { useSpeech } from '../texts/language-provider.tsx';
import type { Statistic } from './operations-documents.ts';

export function StatisticsTable({
  rows,
  nameOf,
  group,
}: {
  readonly rows: readonly Statistic[];
  readonly nameOf: (row: Statistic) => string;
  readonly group: string;
}): ReactNode {
  const { t, format } = useSpeech();
  const { operations } = t;
  const seconds = (value: number | undefined): string => (value === undefined ? '–' : format.seconds(value));
  const columns = [
    { title: operations.ordersCount, of: (row: Statistic) => format.number(row.orders) },
    { title: operations.received, of: (row: Statistic) => format.number(row.received) },
    { title: operations.expired, of: (row: Statistic) => format.number(row.expired) },
    { title: operations.canceled, of: (row: Statistic) => format.number(row.canceled) },
    { title: operations.failedCount, of: (row: Statistic) => format.number(row.failed) },
    {
      title: operations.success,
      of: (row: Statistic) => (row.successRate === null ? '–' : format.percent(row.successRate)),
    },
    { title: operations.median, of: (row: Statistic) => seconds(row.secondsToFirstSms?.p50) },
    { title: operations.p95, of: (row: Statistic) => seconds(row.secondsToFirstSms?.p95) },
    { title: operations.slowest, of: (row: Statistic) => seconds(row.secondsToFirstSms?.max) },
  ];

  return (
    <section
      className="table-scroll"
      aria-label={`${operations.statistics}: ${operations.table}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
      tabIndex={0}
    >
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{group}</th>
            {columns.map(({ title }) => (
              <th key={title} scope="col" className="figure">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key ?? 'unknown'}>
              <th scope="row">{nameOf(row)}</th>
              {columns.map(({ title, of }) => (
                <td key={title} className="figure">
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
