import type { ReactNode } from 'react';
import { useNow } from '../now.ts';
import { useSpeech } from '../texts/language-provider.tsx';

/** What is left until an instant, each second anew. `words` puts it into its sentence; null past the instant: nothing. */
export function Countdown({
  until,
  words,
  past = null,
}: {
  readonly until: string;
  readonly words: (left: string) => string;
  readonly past?: string | null;
}): ReactNode {
  const { format } = useSpeech();
  const left = Date.parse(until) - useNow();
  return <span className="countdown">{left > 0 ? words(format.countdown(left)) : past}</span>;
}
