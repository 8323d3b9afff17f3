import { type Alert, alertKinds } from '../../domain/alert.ts';
import { rowReader } from '../bad-row.ts';

export interface AlertRow {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly message: string;
  readonly raisedAt: number;
  readonly tries: number;
}

export function alertFrom(row: AlertRow): Alert {
  const read = rowReader('alerts', row.id);
  const { id, subject, message, tries } = row;
  return {
    id,
    subject,
    message,
    tries,
    kind: read.oneOf(row.kind, alertKinds),
    raisedAt: read.instant(row.raisedAt),
  };
}
