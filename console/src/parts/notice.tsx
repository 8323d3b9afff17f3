import type { ReactNode } from 'react';

type Tone = 'plain' | 'good' | 'warn' | 'bad';

/** A sentence or two about what happened or what is to be known. `isNews`: read out when it appears. */
export function Notice({
  tone = 'plain',
  isNews = false,
  children,
}: {
  readonly tone?: Tone;
  readonly isNews?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={`notice notice-${tone}`} {...(isNews && { role: tone === 'bad' ? 'alert' : 'status' })}>
      {children}
    </div>
  );
}
