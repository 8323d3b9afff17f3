import { type FormEvent, type ReactNode, useState } from 'react';
import { Field } from '../parts/field.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { type Asked, nothingAsked, statuses } from './order-filter.ts';

export function FilterForm({
  asked,
  onSearch,
}: {
  readonly asked: Asked;
  readonly onSearch: (asked: Asked) => void;
}): ReactNode {
  const { t } = useSpeech();
  const [form, setForm] = useState(asked);
  const text = (name: 'phone' | 'job' | 'from' | 'to', value: string): void =>
    setForm({ ...form, [name]: value });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch(form);
  };

  return (
    <search aria-label={t.orders.filter}>
      <form className="card filter" onSubmit={submit}>
        <fieldset className="chips">
          <legend>{t.orders.status}</legend>
          {statuses.map((status) => (
            <label key={status} className="chip">
              <input
                type="checkbox"
                checked={form.statuses.includes(status)}
                onChange={(event) =>
                  setForm({
                    ...form,
                    statuses: statuses.filter((one) =>
                      one === status ? event.target.checked : form.statuses.includes(one),
                    ),
                  })
                }
              />
              <span>{t.order.status[status]}</span>
            </label>
          ))}
        </fieldset>
        <div className="filter-fields">
          <Field label={t.orders.phone} hint={t.orders.phoneHint}>
            {(control) => (
              <input
                {...control}
                type="tel"
                autoComplete="off"
                value={form.phone}
                onChange={(event) => text('phone', event.target.value)}
              />
            )}
          </Field>
          <Field label={t.orders.job}>
            {(control) => (
              <input
                {...control}
                type="text"
                autoComplete="off"
                value={form.job}
                onChange={(event) => text('job', event.target.value)}
              />
            )}
          </Field>
          <Field label={t.orders.from}>
            {(control) => (
              <input
                {...control}
                type="date"
                value={form.from}
                onChange={(event) => text('from', event.target.value)}
              />
            )}
          </Field>
          <Field label={t.orders.to}>
            {(control) => (
              <input
                {...control}
                type="date"
                value={form.to}
                onChange={(event) => text('to', event.target.value)}
              />
            )}
          </Field>
        </div>
        <div className="button-row">
          <button type="submit" className="button button-main">
            {t.orders.apply}
          </button>
          <button type="button" className="button button-quiet" onClick={() => onSearch(nothingAsked)}>
            {t.orders.reset}
          </button>
        </div>
      </form>
    </search>
  );
}
