import { type ReactNode, useId, useState } from 'react';
import { now } from '../now.ts';
import { hrefOf } from '../route.ts';
import { useSession } from '../session/use-session.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { CloseReview } from './close-review.tsx';
import { Events } from './events.tsx';
import type { Attempt } from './operations-documents.ts';

export function AttemptRow({
  attempt,
  onClosed,
}: {
  readonly attempt: Attempt;
  readonly onClosed: () => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const { viewer } = useSession();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isReview = attempt.state === 'OPERATOR_REVIEW';
  return (
    <li className={`attempt attempt-${attempt.state}`}>
      <button
        type="button"
        className="attempt-row"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="attempt-job mono">{attempt.businessJobId}</span>
        <span className={`pill pill-${attempt.state}`}>{t.operations.state[attempt.state]}</span>
        <span className="soft attempt-meta">
          {[
            attempt.caller,
            t.job[attempt.kind === 'CREATE' ? 'create' : 'reactivate'],
            t.operations.sends(attempt.sends, format.number(attempt.sends)),
            format.ago(attempt.startedAt, now()),
            ...(attempt.nextAttemptAt === null
              ? []
              : [t.operations.nextSend(format.time(attempt.nextAttemptAt))]),
          ].join(' · ')}
        </span>
      </button>
      <div id={id} className="attempt-more" hidden={!isOpen}>
        {isOpen && (
          <>
            <dl className="facts">
              <dt>{t.operations.key}</dt>
              <dd className="mono">{attempt.idempotencyKey}</dd>
              <dt>{t.operations.product}</dt>
              <dd>
                {attempt.catalogProductId ?? t.common.unknown} × {format.number(attempt.quantity)}
              </dd>
              {attempt.orders.length > 0 && (
                <>
                  <dt>{t.operations.orders}</dt>
                  <dd>
                    {attempt.orders.map((order) => (
                      <a key={order.id} className="mono" href={hrefOf('orders', order.id)}>
                        {order.phoneNumber ?? order.id}
                      </a>
                    ))}
                  </dd>
                </>
              )}
            </dl>
            <h3>{t.operations.history}</h3>
            <Events events={attempt.events} />
            {isReview && viewer.scopes.includes('OPERATOR') && (
              <CloseReview attempt={attempt} onClosed={onClosed} />
            )}
          </>
        )}
      </div>
    </li>
  );
}
