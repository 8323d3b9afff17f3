import { type ReactNode, useId } from 'react';

/** A label, what it belongs to, a hint and what is wrong with it, tied together for those who do not see them together. */
export function Field({
  label,
  hint,
  error = null,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | null;
  readonly children: (control: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': boolean;
  }) => ReactNode;
}): ReactNode {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== null && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error !== null,
      })}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
