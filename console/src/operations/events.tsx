import type { ResultOf } from 'gql.tada';
import type { ReactNode } from 'react';
import type { OrderDocument } from '../orders/orders-document.ts';
import { useSpeech } from '../texts/language-provider.tsx';

type Order = NonNullable<ResultOf<typeof OrderDocument>['order']>;
export type AttemptEvent = NonNullable<Order['attempt']>['events'][number];

/** Every change of a paid request, oldest first. */
export function Events({ events }: { readonly events: readonly AttemptEvent[] }): ReactNode {
  const { t, format } = useSpeech();
  return (
    <ol className="events">
      {events.map((event) => (
        <li key={event.version} className={`event event-${event.state}`}>
          <strong>{t.operations.state[event.state]}</strong>
          <time dateTime={event.at}>{format.moment(event.at)}</time>
          {details(event).map((detail) => (
            <p key={detail}>{detail}</p>
          ))}
        </li>
      ))}
    </ol>
  );

  function worded(note: string): string {
    return Object.entries(t.operations.notes).find(([own]) => own === note)?.[1] ?? note;
  }

  function details({ reason, httpStatus, errorCode, note }: AttemptEvent): readonly string[] {
    const answer = [httpStatus === null ? '' : `HTTP ${httpStatus}`, errorCode ?? ''].filter(
      (part) => part !== '',
    );
    return [reason === null ? '' : t.job.reasons[reason], answer.join(' '), worded(note ?? '')].filter(
      (part) => part !== '',
    );
  }
}
