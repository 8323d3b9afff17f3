import { type FormEvent, type ReactNode, useState } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { Field } from '../parts/field.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { OpenNumbersDocument } from './open-numbers-document.ts';
import type { Steering } from './sandbox-panel.tsx';

const READ_EVERY = 3_000;

export function SmsForm({ steering }: { readonly steering: Steering }): ReactNode {
  const { t } = useSpeech();
  const { data, refresh } = useQuery(OpenNumbersDocument, {}, READ_EVERY);
  const [chosen, setChosen] = useState<string | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const orders = data?.orders.nodes ?? [];
  const order = orders.find(({ id }) => id === chosen) ?? orders[0];
  const text = message ?? t.sandbox.example;

  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (order === undefined) return;
    steering.run('sms', { order_id: Number(order.id), message: text }, () => t.sandbox.sent);
  };
  const expire = (): void => {
    if (order === undefined) return;
    steering.run('expire', { order_id: Number(order.id) }, () => {
      refresh();
      return t.sandbox.expired;
    });
  };

  return (
    <form className="sandbox-form" onSubmit={send} aria-label={t.sandbox.sms}>
      <h3>{t.sandbox.sms}</h3>
      {order === undefined ? (
        <p className="empty">{t.sandbox.noOrder}</p>
      ) : (
        <>
          <Field label={t.sandbox.order}>
            {(control) => (
              <select {...control} value={order.id} onChange={(event) => setChosen(event.target.value)}>
                {orders.map(({ id, phoneNumber, product }) => (
                  <option key={id} value={id}>
                    {[phoneNumber ?? id, product?.platform?.name ?? ''].join(' ')}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t.sandbox.message}>
            {(control) => (
              <textarea
                {...control}
                rows={3}
                value={text}
                onChange={(event) => setMessage(event.target.value)}
              />
            )}
          </Field>
          <div className="button-row">
            <button type="submit" className="button button-main">
              {t.sandbox.send}
            </button>
            <button type="button" className="button" onClick={expire}>
              {t.sandbox.expire}
            </button>
          </div>
        </>
      )}
    </form>
  );
}
