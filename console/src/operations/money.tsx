import { type ReactNode, useState } from 'react';
import type { Fault } from '../graph/fault.ts';
import { useMutation } from '../graph/use-mutation.ts';
import { useQuery } from '../graph/use-query.ts';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { useBalances } from '../shell/balance.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { BalanceChart } from './balance-chart.tsx';
import { BudgetBar } from './budget-bar.tsx';
import { MoneyDocument, ReadBalanceDocument } from './operations-documents.ts';

const READ_EVERY = 10_000;

/** The account's balance as it moves while one looks, and what one's own key may still spend. */
export function Money(): ReactNode {
  const { t, format } = useSpeech();
  const balances = useBalances();
  const money = useQuery(MoneyDocument, {}, READ_EVERY);
  const read = useMutation(ReadBalanceDocument);
  const [fault, setFault] = useState<Fault | null>(null);
  const balance = balances.at(-1);
  const budget = money.data?.viewer.budget;

  const readNow = async (): Promise<void> => {
    const answer = await read.run({});
    setFault(answer?.kind === 'fault' ? answer.fault : null);
  };

  return (
    <section className="card" aria-labelledby="money-title">
      <div className="section-head">
        <h2 id="money-title">{t.operations.money}</h2>
        <button type="button" className="button" disabled={read.isRunning} onClick={() => void readNow()}>
          {t.operations.refresh}
        </button>
      </div>
      <FaultNotice fault={fault ?? money.fault} onRetry={money.refresh} />
      {balance !== undefined && (
        <p className="big-figure">
          <span>{t.operations.balanceNow}</span>
          <strong>{format.money(balance.amount)}</strong>
          {balance.low && <em className="pill pill-bad">{t.shell.low}</em>}
          <span className="hint">{t.common.asOf(format.time(balance.asOf))}</span>
        </p>
      )}
      <BalanceChart readings={balances} />
      <h3>{t.operations.budget}</h3>
      {budget === null && <p className="empty">{t.operations.noBudget}</p>}
      {budget != null && <BudgetBar budget={budget} />}
    </section>
  );
}
