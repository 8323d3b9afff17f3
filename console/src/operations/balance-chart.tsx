import type { ReactNode } from 'react';
import { useNow } from '../now.ts';
import type { BalanceReading } from '../shell/balance.tsx';
import { useSpeech } from '../texts/language-provider.tsx';

const WIDTH = 600;
const HEIGHT = 140;
const PAD = 6;
const MOST_ROWS = 50;

/** A step for each reading, up to now: between two readings nothing is known to have changed. */
export function BalanceChart({ readings }: { readonly readings: readonly BalanceReading[] }): ReactNode {
  const { t, format } = useSpeech();
  const now = useNow();
  const [first] = readings;
  const last = readings.at(-1);
  if (first === undefined || last === undefined) return null;
  if (readings.length === 1) return <p className="empty">{t.operations.balanceAlone}</p>;

  const amounts = readings.map(({ amount }) => amount);
  const lowest = Math.min(...amounts);
  const highest = Math.max(...amounts);
  const begin = Date.parse(first.asOf);
  const end = Math.max(now, Date.parse(last.asOf));
  const x = (at: number): number => PAD + ((WIDTH - 2 * PAD) * (at - begin)) / Math.max(1, end - begin);
  const y = (amount: number): number =>
    PAD + (HEIGHT - 2 * PAD) * (1 - (amount - lowest) / Math.max(1, highest - lowest));
  const line = readings
    .map(
      ({ asOf, amount }, at) =>
        `${at === 0 ? 'M' : 'H'}${x(Date.parse(asOf))}${at === 0 ? ' ' : 'V'}${y(amount)}`,
    )
    .join('');
  const path = `${line}H${x(end)}`;

  return (
    <figure className="chart">
      <figcaption>{t.operations.balanceChart}</figcaption>
      <div className="chart-plot">
        <span className="chart-high" aria-hidden="true">
          {format.money(highest)}
        </span>
        <span className="chart-low" aria-hidden="true">
          {format.money(lowest)}
        </span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path className="chart-area" d={`${path}V${HEIGHT}H${x(begin)}Z`} />
          <path className="chart-line" d={path} />
        </svg>
      </div>
      <div className="chart-axis" aria-hidden="true">
        <span>{format.time(first.asOf)}</span>
        <span>{format.time(end)}</span>
      </div>
      <details>
        <summary>{t.operations.table}</summary>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t.operations.time}</th>
              <th scope="col" className="figure">
                {t.operations.amount}
              </th>
              <th scope="col" className="figure">
                {t.operations.change}
              </th>
            </tr>
          </thead>
          <tbody>
            {readings
              .map((reading, at) => ({
                ...reading,
                change: at === 0 ? 0 : reading.amount - (readings[at - 1]?.amount ?? reading.amount),
              }))
              .slice(-MOST_ROWS)
              .reverse()
              .map(({ asOf, amount, change }) => (
                <tr key={asOf}>
                  <th scope="row">{format.time(asOf)}</th>
                  <td className="figure">{format.money(amount)}</td>
                  <td className="figure">{change === 0 ? '–' : format.money(change)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
