import type { ReactNode } from 'react';
import { useSpeech } from '../texts/language-provider.tsx';
import type { Plan } from './supplier-documents.ts';

/** Lines drawn of each kind: a delivery may have tens of thousands. */
const MOST_SHOWN = 20;

/** What the supplier API would do without a word, told before anything is sent. */
export function PlanView({
  plan,
  isCurrent,
  isRefused,
  dropsOverflow,
}: {
  readonly plan: Plan | null;
  readonly isCurrent: boolean;
  readonly isRefused: boolean;
  readonly dropsOverflow: boolean;
}): ReactNode {
  const { t, format } = useSpeech();
  if (plan === null) return <p className="empty">{t.supplier.planning}</p>;
  const kinds = [
    { name: 'fresh', words: t.supplier.planFresh, count: plan.fresh.length, lines: plan.fresh },
    {
      name: 'duplicate',
      words: t.supplier.planDuplicate,
      count: plan.duplicate.length,
      lines: plan.duplicate,
    },
    { name: 'blank', words: t.supplier.planBlank, count: plan.blank, lines: [] },
    { name: 'overflow', words: t.supplier.planOverflow, count: plan.overflow.length, lines: plan.overflow },
  ];
  return (
    <section className="plan" aria-labelledby="plan-title" aria-busy={!isCurrent}>
      <h4 id="plan-title">{t.supplier.plan}</h4>
      <dl className="figures">
        {kinds.map(({ name, words, count }) => (
          <div key={name} className={`plan-${name}`} data-none={count === 0}>
            <dt>{words}</dt>
            <dd data-plan={name}>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
      <p role="status">
        {isRefused
          ? t.supplier.planRefused
          : plan.fresh.length === 0
            ? t.supplier.planNothing
            : t.supplier.planRest(plan.remainingAfter, format.number(plan.remainingAfter))}
      </p>
      {kinds
        .filter(({ lines }) => lines.length > 0)
        .map(({ name, words, lines }) => (
          <details key={name} open={name === 'overflow' && !dropsOverflow}>
            <summary>
              {words}: {format.number(lines.length)}
            </summary>
            <pre className="mono plan-lines">{lines.slice(0, MOST_SHOWN).join('\n')}</pre>
            {lines.length > MOST_SHOWN && (
              <p className="hint">{t.supplier.andMore(format.number(lines.length - MOST_SHOWN))}</p>
            )}
          </details>
        ))}
    </section>
  );
}
