import type { Texts } from '../texts/en.ts';
import type { Format } from '../texts/format.ts';
import type { DeliveryOutcome } from './supplier-documents.ts';

export interface DeliveryTold {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
  /** The gateway has the lines: they are not to be delivered again. */
  readonly isTaken: boolean;
}

export function tellDelivery(outcome: DeliveryOutcome, { supplier: t }: Texts, format: Format): DeliveryTold {
  switch (outcome.__typename) {
    case 'DeliveryAccepted': {
      const { length } = outcome.plan.fresh;
      return { tone: 'good', text: t.accepted(length, format.number(length)), isTaken: true };
    }
    case 'DeliveryPending':
      return { tone: 'warn', text: t.pending, isTaken: true };
    case 'DeliveryNotSent':
      return { tone: 'bad', text: t.notSent[outcome.reason], isTaken: false };
    case 'DeliveryRejected':
      return {
        tone: 'bad',
        text: outcome.code === 'OTHER' ? `${t.rejected.OTHER} ${outcome.message}` : t.rejected[outcome.code],
        isTaken: false,
      };
  }
}
