import type { VariablesOf } from 'gql.tada';
import type { OrdersDocument } from './orders-document.ts';

export const statuses = ['ACTIVE', 'OTP_RECEIVED', 'COMPLETED', 'CANCELED', 'EXPIRED'] as const;
export type Status = (typeof statuses)[number];

/** What the form says, as it stands in the address: a filtered list can be kept and sent to somebody. */
export interface Asked {
  readonly statuses: readonly Status[];
  readonly phone: string;
  readonly job: string;
  /** Days of the reader's calendar, as YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
}

export const nothingAsked: Asked = { statuses: [], phone: '', job: '', from: '', to: '' };

export function readAsked(query: URLSearchParams): Asked {
  const named = (query.get('status') ?? '').split(',');
  return {
    statuses: statuses.filter((status) => named.includes(status)),
    phone: query.get('phone') ?? '',
    job: query.get('job') ?? '',
    from: query.get('from') ?? '',
    to: query.get('to') ?? '',
  };
}

export function writeAsked({ statuses: chosen, ...texts }: Asked): Record<string, string> {
  return { status: chosen.join(','), ...texts };
}

export function filterOf({
  statuses: chosen,
  phone,
  job,
  from,
  to,
}: Asked): VariablesOf<typeof OrdersDocument>['filter'] {
  const createdFrom = startOf(from, 0);
  const createdTo = startOf(to, 1);
  return {
    ...(chosen.length > 0 && { statuses: [...chosen] }),
    ...(phone.trim() !== '' && { phoneNumber: phone.trim() }),
    ...(job.trim() !== '' && { businessJobId: job.trim() }),
    ...(createdFrom !== null && { createdFrom }),
    ...(createdTo !== null && { createdTo }),
  };
}

/** The first instant of a day here, so many days later. */
function startOf(day: string, later: number): string | null {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return null;
  date.setDate(date.getDate() + later);
  return date.toISOString();
}
