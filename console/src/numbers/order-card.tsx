import { type ReactNode, useEffect, useRef } from 'react';
import { useNow } from '../now.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { hrefOf } from '../route.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { Messages } from './messages.tsx';
import { OrderActions } from './order-actions.tsx';
import type { OrderView } from './order-documents.ts';
import { useOrder } from './use-order.ts';

/** A number with everything that is sent to it and can be done with it. */
export function OrderCard({
  id,
  known,
  takesFocus = false,
  hasDetails = true,
  onPutAway,
}: {
  readonly id: string;
  /** The last revision that is no news: what comes after it is read out. */
  readonly known: number;
  readonly takesFocus?: boolean;
  readonly hasDetails?: boolean;
  /** Offered once the order has ended. */
  readonly onPutAway?: (() => void) | undefined;
}): ReactNode {
  const { t } = useSpeech();
  const announce = useAnnounce();
  const heading = useRef<HTMLHeadingElement>(null);
  const { order, messages, stream } = useOrder(id, ({ revision, suggestedCode, otpCode }) => {
    if (revision <= known) return;
    const code = suggestedCode ?? otpCode;
    const service = order === null ? '' : serviceOf(order);
    announce(
      code === null
        ? t.order.announceMessage(service)
        : // Digit by digit: "four hundred and eighty-two thousand" is no code.
          t.order.announceCode([...code].join(' '), service),
    );
  });
  const isHere = order !== null;
  useEffect(() => {
    if (takesFocus && isHere) heading.current?.focus();
  }, [takesFocus, isHere]);

  if (order === null) {
    return (
      <article className="card order" aria-busy={stream.fault === null}>
        <FaultNotice fault={stream.fault} onRetry={stream.restart} />
        {stream.fault === null && <p className="empty">{t.common.loading}</p>}
      </article>
    );
  }
  const isOpen = order.status === 'ACTIVE' || order.status === 'OTP_RECEIVED';
  return (
    <article className={`card order order-${order.status}`} aria-labelledby={`order-${id}`} data-order={id}>
      <header className="card-head">
        <h3 id={`order-${id}`} ref={heading} tabIndex={-1}>
          <What order={order} />
        </h3>
        <span className={`pill pill-${order.status}`}>{t.order.status[order.status]}</span>
      </header>
      <NumberLine order={order} isOpen={isOpen} />
      <Messages messages={messages} known={known} isOpen={isOpen && order.phoneNumber !== null} />
      <FaultNotice fault={stream.fault} onRetry={stream.restart} />
      <OrderActions order={order} title={titleOf(order)} />
      {(hasDetails || (!isOpen && onPutAway !== undefined)) && (
        <footer className="card-foot">
          {hasDetails && <a href={hrefOf('orders', id)}>{t.order.title(id)}</a>}
          {!isOpen && onPutAway !== undefined && (
            <button type="button" className="button button-quiet" onClick={onPutAway}>
              {t.order.putAway}
            </button>
          )}
        </footer>
      )}
    </article>
  );
}

function What({ order }: { readonly order: OrderView }): ReactNode {
  const { format } = useSpeech();
  const country = order.product?.country;
  return (
    <>
      <span className="order-flag" aria-hidden="true">
        {country?.emoji}
      </span>
      {serviceOf(order)}
      <span className="order-where">{format.country(country?.code, country?.name ?? '')}</span>
    </>
  );
}

function NumberLine({ order, isOpen }: { readonly order: OrderView; readonly isOpen: boolean }): ReactNode {
  const { t, format } = useSpeech();
  const { phoneNumber, expiresAt, failedReason } = order;
  return (
    <div className="order-number">
      {phoneNumber === null ? (
        <p className="empty">{isOpen ? t.order.assigning : t.order.noNumber}</p>
      ) : (
        <CopyButton className="number" text={phoneNumber} what={t.orders.number} />
      )}
      <p className="order-facts">
        {isOpen && expiresAt !== null && (
          <Countdown until={expiresAt} words={t.order.ends} past={t.order.overdue} />
        )}
        <span>
          {t.order.paid}: {format.money(order.amount)}
        </span>
        {order.operatorName !== null && <span>{order.operatorName}</span>}
      </p>
      {isOpen && expiresAt !== null && <Remaining from={order.createdAt} until={expiresAt} />}
      {failedReason !== null && <p className="hint">{t.order.failed(failedReason)}</p>}
      {order.reactivatedFrom !== null && (
        <p className="hint">{t.order.reactivated(order.reactivatedFrom.id)}</p>
      )}
    </div>
  );
}

/** The countdown as a shrinking line, for the eye alone. */
function Remaining({ from, until }: { readonly from: string; readonly until: string }): ReactNode {
  const whole = Date.parse(until) - Date.parse(from);
  const left = Math.max(0, Math.min(1, (Date.parse(until) - useNow()) / whole));
  return (
    <svg className="remaining" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="1" className="remaining-all" />
      <rect width={100 * left} height="1" className="remaining-left" />
    </svg>
  );
}

function serviceOf(order: OrderView): string {
  return order.product?.platform?.name ?? order.product?.name ?? '';
}

function titleOf(order: OrderView): string {
  return [serviceOf(order), order.phoneNumber ?? order.product?.country?.name ?? ''].join(' · ');
}
