import { type FormEvent, type ReactNode, useState } from 'react';
import { Field } from '../parts/field.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import type { Steering } from './sandbox-panel.tsx';
import { type FaultName, faultNames, faults } from './steer.ts';

export function FaultForm({ steering }: { readonly steering: Steering }): ReactNode {
  const { t } = useSpeech();
  const [name, setName] = useState<FaultName>('lostAnswer');
  const inject = (event: FormEvent): void => {
    event.preventDefault();
    steering.run('faults', faults[name], () => t.sandbox.injected);
  };
  return (
    <form className="sandbox-form" onSubmit={inject} aria-label={t.sandbox.fault}>
      <h3>{t.sandbox.fault}</h3>
      <Field label={t.sandbox.faultOf}>
        {(control) => (
          <select
            {...control}
            value={name}
            onChange={(event) =>
              setName(faultNames.find((known) => known === event.target.value) ?? 'lostAnswer')
            }
          >
            {faultNames.map((known) => (
              <option key={known} value={known}>
                {t.sandbox.faults[known]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" className="button">
        {t.sandbox.inject}
      </button>
    </form>
  );
}
