import type { ReactNode } from 'react';

export interface Bar {
  readonly name: string;
  /** Null: there is nothing to draw yet. */
  readonly value: number | null;
  /** How far its thin line goes beyond. */
  readonly reach?: number;
  readonly words: string;
}

/** Bars from the left, each with its name and value in words: for eyes. The table beneath is for everybody. */
export function Bars({
  title,
  hint,
  bars,
  most,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly bars: readonly Bar[];
  /** The value that fills the width. */
  readonly most: number;
}): ReactNode {
  if (bars.length === 0) return null;
  return (
    <figure className="bars">
      <figcaption>
        {title}
        {hint !== undefined && <span className="hint"> {hint}</span>}
      </figcaption>
      <div aria-hidden="true">
        {bars.map(({ name, value, reach, words }) => (
          <div key={name} className="bar-row">
            <span className="bar-name">{name}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="10" className="bar-ground" />
              {reach !== undefined && (
                <rect y="4" height="2" width={(100 * reach) / most} className="bar-reach" />
              )}
              {value !== null && <rect width={(100 * value) / most} height="10" className="bar-value" />}
            </svg>
            <span className="bar-words">{words}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}
