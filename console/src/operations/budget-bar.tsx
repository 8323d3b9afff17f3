import type { ReactNode } from 'react';
import type { Viewer } from '../session/viewer.ts';
import { useSpeech } from '../texts/language-provider.tsx';

export function BudgetBar({ budget }: { readonly budget: NonNullable<Viewer['budget']> }): ReactNode {
  const { t, format } = useSpeech();
  const { limit, spent, reserved, remaining } = budget;
  const share = (amount: number): number => (limit === 0 ? 0 : (100 * amount) / limit);
  return (
    <figure className="budget">
      <svg
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        role="img"
        aria-label={t.operations.budgetBar(format.money(spent), format.money(reserved), format.money(limit))}
      >
        <rect width="100" height="4" className="remaining-all" />
        <rect width={share(spent)} height="4" className="bar-spent" />
        <rect x={share(spent)} width={share(reserved)} height="4" className="bar-reserved" />
      </svg>
      <dl className="figures">
        <div className="figure-spent">
          <dt>{t.operations.spent}</dt>
          <dd>{format.money(spent)}</dd>
        </div>
        <div className="figure-reserved">
          <dt>{t.operations.reserved}</dt>
          <dd>{format.money(reserved)}</dd>
        </div>
        <div>
          <dt>{t.operations.remaining}</dt>
          <dd>{format.money(remaining)}</dd>
        </div>
      </dl>
    </figure>
  );
}
