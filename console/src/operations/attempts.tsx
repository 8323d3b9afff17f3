import { type ReactNode, useState } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { AttemptRow } from './attempt-row.tsx';
import { AttemptsDocument } from './operations-documents.ts';

const READ_EVERY = 5_000;
const PAGE = 20;
const MOST = 100;

const STATES = {
  review: ['OPERATOR_REVIEW'],
  open: ['PREPARED', 'SENDING', 'NEEDS_RECONCILIATION'],
  all: null,
} as const;
const tabs = ['review', 'open', 'all'] as const;
type Tab = (typeof tabs)[number];

/** Paid requests: those that a person has to look into, those under way, and all. */
export function Attempts(): ReactNode {
  const { t, format } = useSpeech();
  const [tab, setTab] = useState<Tab>('review');
  const [first, setFirst] = useState(PAGE);
  const states = STATES[tab];
  const { data, fault, isLoading, refresh } = useQuery(
    AttemptsDocument,
    { states: states === null ? null : [...states], first },
    READ_EVERY,
  );
  const page = data?.createAttempts;
  const isAnswered = page !== undefined && !isLoading;

  return (
    <section className="card attempts" aria-labelledby="attempts-title" aria-busy={isLoading}>
      <div className="section-head">
        <h2 id="attempts-title">{t.operations.attempts}</h2>
        <fieldset className="segments">
          <legend className="unseen">{t.operations.stateLabel}</legend>
          {tabs.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="attempts-tab"
                checked={one === tab}
                onChange={() => {
                  setTab(one);
                  setFirst(PAGE);
                }}
              />
              <span>{t.operations.tabs[one]}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <FaultNotice fault={fault} onRetry={refresh} />
      {isAnswered && page.totalCount === 0 && (
        <p className="empty empty-room">{t.operations.noAttempts[tab]}</p>
      )}
      {page !== undefined && (
        <ul className="attempt-list">
          {page.nodes.map((attempt) => (
            <AttemptRow
              key={`${attempt.caller} ${attempt.businessJobId}`}
              attempt={attempt}
              onClosed={refresh}
            />
          ))}
        </ul>
      )}
      {page !== undefined && page.totalCount > page.nodes.length && first < MOST && (
        <button
          type="button"
          className="button button-quiet button-wide"
          onClick={() => setFirst(first + PAGE)}
        >
          {t.common.more} ({format.number(page.totalCount - page.nodes.length)})
        </button>
      )}
    </section>
  );
}
