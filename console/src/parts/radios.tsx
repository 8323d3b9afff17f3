import { type ReactNode, useId } from 'react';

/** One of a few, each in words. */
export function Radios<Value extends string>({
  legend,
  value,
  options,
  onChange,
}: {
  readonly legend: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}): ReactNode {
  const name = useId();
  return (
    <fieldset className="radios">
      <legend>{legend}</legend>
      {entriesOf(options).map(([option, words]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Object.entries forgets which names a record has. */
function entriesOf<Name extends string>(record: Readonly<Record<Name, string>>): [Name, string][] {
  return Object.entries(record) as [Name, string][];
}
